#include "tellegen/sim/engine/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/predictions.h"

namespace tellegen::sim {
namespace {

/// Ranges of what the float network puts into each matrix layer, before and behind its gate.
void find_ranges(Workload& work, std::int64_t samples, int threads) {
  work.inputs.resize(work.network.nodes.size());
  work.gated.resize(work.network.nodes.size());
  std::mutex merging;
  const std::int64_t first = work.data.size() - samples;
  constexpr std::int64_t batch = 64;
  parallel_for(static_cast<std::size_t>((samples + batch - 1) / batch), threads, [&](std::size_t b) {
    const std::int64_t begin = static_cast<std::int64_t>(b) * batch;
    models::execute(work.network, work.data.batch(first + begin, std::min(batch, samples - begin)),
                    [&](const models::Node& node, std::size_t index, const models::Tensor& input) {
                      InputRange before, behind;
                      before.widen(input.data);
                      const models::Tensor* inputs[] = {&input};
                      models::Tensor gated;
                      if (node.gate) {
                        gated = node.gate->activation->run(inputs);
                        behind.widen(gated.data);
                        inputs[0] = &gated;
                      }
                      {
                        const std::lock_guard lock(merging);
                        work.inputs[index].widen(before);
                        work.gated[index].widen(behind);
                      }
                      return node.operation->run(inputs);
                    });
  });
}

void check_samples(const ExperimentConfig& config, const models::Dataset& data) {
  if (config.evaluate.samples > data.size()) {
    throw InputError(fmt::format("evaluate.samples = '{}' is more than '{}' holds; allowed: 1 to {}, or 0 for all.",
                                 config.evaluate.samples, data.file.string(), data.size()));
  }
  if (config.evaluate.calibration_samples > data.size()) {
    throw InputError(fmt::format("evaluate.calibration_samples = '{}' is more than '{}' holds; allowed: 1 to {}.",
                                 config.evaluate.calibration_samples, data.file.string(), data.size()));
  }
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
  mapping::GatedNetwork gated = mapping::gate_network(models::import_onnx(config.network.onnx_file()), config.chip);
  Workload work;
  work.network = std::move(gated.network);
  work.edges = std::move(gated.edges);
  return work;
}

Workload load(const ExperimentConfig& config, int threads, const Progress& progress) {
  Workload work = load_network(config);
  work.data = models::load_dataset(config.network.data_file(), work.network);
  check_samples(config, work.data);
  work.samples = config.evaluate.samples == 0 ? work.data.size() : config.evaluate.samples;
  find_ranges(work, std::min<std::int64_t>(config.evaluate.calibration_samples, work.data.size()), threads);

  work.float_predictions.resize(static_cast<std::size_t>(work.samples));
  const std::int64_t batch = config.evaluate.batch;
  const std::size_t batches = static_cast<std::size_t>((work.samples + batch - 1) / batch);
  std::atomic<std::size_t> done = 0;
  parallel_for(batches, threads, [&](std::size_t b) {
    const std::int64_t first = static_cast<std::int64_t>(b) * batch;
    const models::Tensor logits =
        models::execute(work.network, work.data.batch(first, std::min(batch, work.samples - first)));
    std::ranges::copy(predictions_of(logits), work.float_predictions.begin() + first);
    if (progress) progress(++done, batches);
  });
  work.float_accuracy = share_right(work.float_predictions, work.data.labels);
  return work;
}

}  // namespace tellegen::sim
