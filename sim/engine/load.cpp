#include "tellegen/sim/engine/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/mapping/products.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/operation.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/sim/engine/network_file.h"
#include "tellegen/sim/engine/predictions.h"

namespace tellegen::sim {
namespace {

/// Calibration samples whose states are kept, how many at once, and how many states of each matrix at most.
constexpr std::int64_t kStateSamples = 64;
constexpr std::int64_t kStateBatch = 16;  ///< fixed: states are kept in the order in which batches make them
constexpr std::int64_t kStatesKept = 16 * models::kPatchBlock;

TestData load_test_data(const NetworkConfig& config, const models::Network& network) {
  const std::filesystem::path file = config.data_file();
  TestData data;
  data.set = models::load_test_set(file, network, config.snr_db);
  data.file = file;
  const Hdf5Reader reader(file);
  if (reader.has("labels")) {
    const std::vector<std::uint8_t> labels = reader.bytes("labels");
    data.labels.assign(labels.begin(), labels.end());
  }
  return data;
}

/// Every `stride`-th state of one matrix, counted over steps and samples.
class StateKeeper {
 public:
  StateKeeper(std::int64_t products, std::int64_t inputs)
      : stride_(std::max<std::int64_t>(1, products / kStatesKept)), kept_{{0, inputs}, {}} {}
  void keep(const models::Tensor& states) {
    const std::int64_t inputs = kept_.shape[1];
    for (std::int64_t r = 0; r < states.shape[0]; ++r) {
      if (next_++ % stride_ != 0) continue;
      const auto row = states.data.begin() + r * inputs;
      kept_.data.insert(kept_.data.end(), row, row + inputs);
      ++kept_.shape[0];
    }
  }
  models::Tensor take() { return std::move(kept_); }

 private:
  std::int64_t stride_, next_ = 0;
  models::Tensor kept_;
};

/// What the float network puts into its products, over calibration samples.
class FloatInputs {
 public:
  explicit FloatInputs(Workload& work) : work_(work) {
    work.inputs.resize(work.network.nodes.size());
    work.gated.resize(work.network.nodes.size());
    work.states.resize(work.network.nodes.size());
    work.written.resize(work.network.nodes.size());
    for (const mapping::Product& product : mapping::products_of(work.network)) {
      if (product.matrix) work.states[product.node].resize(*product.matrix + 1);
    }
  }

  void find_ranges(std::int64_t first, std::int64_t samples, std::int64_t batch, int threads) {
    models::StreamMemory memory;
    const bool streaming = work_.network.streaming;
    parallel_for(static_cast<std::size_t>((samples + batch - 1) / batch), streaming ? 1 : threads, [&](std::size_t b) {
      const std::int64_t begin = static_cast<std::int64_t>(b) * batch;
      models::Hooks hooks;
      hooks.product = [&](const models::Node& node, std::size_t index, const models::Tensor& input) {
        return through_product(node, index, input);
      };
      hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix,
                                const models::Tensor& states) { return through_states(index, matrix, states); };
      hooks.substitute = [&](const models::Node& node, std::size_t index, const models::Tensor& input) {
        widen_input(node, index, input);
        return std::optional<models::Tensor>();
      };
      hooks.computed_product = [&](const models::Node& node, std::size_t index, const models::Tensor& left,
                                   const models::Tensor& right) { return through_computed(node, index, left, right); };
      if (streaming) hooks.memory = &memory;
      models::execute(work_.network, work_.data.batch(first + begin, std::min(batch, samples - begin)), hooks);
    });
    share_causality(work_.network, work_.written);
  }

  void keep_states(std::int64_t first, std::int64_t samples) {
    std::map<std::pair<std::size_t, std::size_t>, StateKeeper> keepers;
    for (const mapping::Product& product : mapping::products_of(work_.network)) {
      if (!product.matrix) continue;
      keepers.emplace(std::pair(product.node, *product.matrix),
                      StateKeeper(product.positions * samples, product.operation->rows_per_group()));
    }
    if (keepers.empty()) return;
    models::StreamMemory memory;
    models::Hooks hooks;
    if (work_.network.streaming) hooks.memory = &memory;
    hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix,
                              const models::Tensor& states) {
      keepers.at({index, matrix}).keep(states);
      return product_with(index, matrix, states);
    };
    for (std::int64_t begin = 0; begin < samples; begin += kStateBatch)
      models::execute(work_.network, work_.data.batch(first + begin, std::min(kStateBatch, samples - begin)), hooks);
    for (auto& [key, keeper] : keepers) work_.states[key.first][key.second].samples = keeper.take();
  }

 private:
  models::Tensor through_product(const models::Node& node, std::size_t index, const models::Tensor& input) {
    InputRange before, behind;
    before.widen(input.data);
    const models::Tensor* inputs[] = {&input};
    if (node.gate) behind.widen(node.gate->activation->run(inputs).data);
    {
      const std::lock_guard lock(merging_);
      work_.inputs[index].widen(before);
      work_.gated[index].widen(behind);
    }
    return models::run_node(node, inputs);
  }

  /// Of an activation that stands alone: circuits between converters lay their range on it.
  void widen_input(const models::Node& node, std::size_t index, const models::Tensor& input) {
    if (dynamic_cast<const models::Pointwise*>(node.operation.get()) == nullptr &&
        dynamic_cast<const models::Selection*>(node.operation.get()) == nullptr)
      return;
    InputRange range;
    range.widen(input.data);
    const std::lock_guard lock(merging_);
    work_.inputs[index].widen(range);
  }

  models::Tensor through_computed(const models::Node& node, std::size_t index, const models::Tensor& left,
                                  const models::Tensor& right) {
    InputRange range;
    range.widen(left.data);
    const WrittenInputs found = written_inputs(left, right);
    {
      const std::lock_guard lock(merging_);
      work_.inputs[index].widen(range);
      work_.written[index].widen(found);
    }
    const models::Tensor* inputs[] = {&left, &right};
    return node.operation->run(inputs);
  }

  models::Tensor through_states(std::size_t index, std::size_t matrix, const models::Tensor& states) {
    InputRange range;
    range.widen(states.data);
    {
      const std::lock_guard lock(merging_);
      work_.states[index][matrix].range.widen(range);
    }
    return product_with(index, matrix, states);
  }

  models::Tensor product_with(std::size_t index, std::size_t matrix, const models::Tensor& states) const {
    const models::Tensor* inputs[] = {&states};
    return mapping::product_operation(work_.network, index, matrix).run(inputs);
  }

  Workload& work_;
  std::mutex merging_;
};

void check_samples(const ExperimentConfig& config, const TestData& data) {
  if (config.evaluate.samples > data.size()) {
    throw InputError(fmt::format("evaluate.samples = '{}' is more than '{}' holds; allowed: 1 to {}, or 0 for all.",
                                 config.evaluate.samples, data.file.string(), data.size()));
  }
  if (config.evaluate.calibration_samples > data.size()) {
    throw InputError(fmt::format("evaluate.calibration_samples = '{}' is more than '{}' holds; allowed: 1 to {}.",
                                 config.evaluate.calibration_samples, data.file.string(), data.size()));
  }
}

/// Before the long work; one sample is judged to know what its test set judges by.
void check_metric(const ExperimentConfig& config, const Workload& work) {
  models::Tensor outputs;
  for (const std::int64_t dimension : work.network.values[static_cast<std::size_t>(work.network.output)].shape)
    outputs.shape.push_back(std::abs(dimension));
  outputs.data.resize(static_cast<std::size_t>(models::element_count(outputs.shape)));
  const models::TestSet& set = *work.data.set;
  figure_named(set.figures(set.score(outputs, 0)), config.network.metric, work.data.file.string());
}

/// Scores, predictions and figures of the float network.
void judge_float_network(Workload& work, std::int64_t batch, int threads, const Progress& progress) {
  const models::TestSet& set = *work.data.set;
  const bool has_classes = !work.data.labels.empty();
  const std::size_t batches = static_cast<std::size_t>((work.samples + batch - 1) / batch);
  std::vector<double> scores(static_cast<std::size_t>(work.samples) * set.columns());
  if (has_classes) work.float_predictions.resize(static_cast<std::size_t>(work.samples));
  models::StreamMemory memory;
  models::Hooks hooks;
  if (work.network.streaming) hooks.memory = &memory;
  std::atomic<std::size_t> done = 0;
  parallel_for(batches, work.network.streaming ? 1 : threads, [&](std::size_t b) {
    const std::int64_t first = static_cast<std::int64_t>(b) * batch;
    const models::Tensor outputs =
        models::execute(work.network, work.data.batch(first, std::min(batch, work.samples - first)), hooks);
    if (has_classes) std::ranges::copy(predictions_of(outputs), work.float_predictions.begin() + first);
    std::ranges::copy(set.score(outputs, first), scores.begin() + first * static_cast<std::int64_t>(set.columns()));
    if (progress) progress(++done, batches);
  });
  work.float_figures = set.figures(scores);
}

}  // namespace

void InputRange::widen(std::span<const float> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (low == values.end()) return;
  widen(InputRange{std::max(static_cast<double>(*high), -static_cast<double>(*low)), *low < 0});
}

void InputRange::widen(const InputRange& other) {
  max_abs = std::max(max_abs, other.max_abs);
  is_signed = is_signed || other.is_signed;
}

Workload load_network(const ExperimentConfig& config) {
  mapping::GatedNetwork gated = mapping::gate_network(changed_network(config), config.chip);
  Workload work;
  work.network = std::move(gated.network);
  work.edges = std::move(gated.edges);
  return work;
}

std::int64_t test_set_size(const ExperimentConfig& config) {
  return load_test_data(config.network, load_network(config).network).size();
}

Workload load(const ExperimentConfig& config, int threads, const Progress& progress) {
  Workload work = load_network(config);
  check_has_weights(work.network, config.network);
  work.data = load_test_data(config.network, work.network);
  check_metric(config, work);
  check_samples(config, work.data);
  work.samples = config.evaluate.samples == 0 ? work.data.size() : config.evaluate.samples;
  const std::int64_t calibrating = std::min<std::int64_t>(config.evaluate.calibration_samples, work.data.size());
  const std::int64_t first = work.data.size() - calibrating, batch = std::min(64, config.evaluate.batch);
  FloatInputs inputs(work);
  inputs.find_ranges(first, calibrating, batch, threads);
  inputs.keep_states(first, std::min(calibrating, kStateSamples));
  judge_float_network(work, config.evaluate.batch, threads, progress);
  work.float_accuracy = figure_named(work.float_figures, config.network.metric, work.data.file.string()).value;
  return work;
}

}  // namespace tellegen::sim
