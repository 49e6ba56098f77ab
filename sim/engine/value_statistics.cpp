#include "tellegen/sim/engine/value_statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tellegen/base/parallel.h"
#include "tellegen/mapping/products.h"
#include "tellegen/models/executor.h"
#include "tellegen/sim/engine/digital_work.h"
#include "tellegen/sim/engine/layer_path.h"
#include "tellegen/sim/engine/tile_cells.h"

namespace tellegen::sim {
namespace {

constexpr int kIdealBins = 4096;
/// Products of each layer whose drives are kept for the wires, over all batches.
constexpr std::int64_t kKeptReads = 512;
/// Reads of a chip for statistics must not repeat the noise of inference or calibration: they are numbered from here.
constexpr std::uint64_t kStatisticsReads = std::uint64_t{1} << 41;

/// How often each value of one entry of a batch drives a row, and in how many products each row is padded.
struct InputUse {
  std::vector<double> times;           ///< [values of one entry]
  std::vector<double> conductances_S;  ///< [values of one entry]: of the rows, summed over the times
  std::vector<double> padding;         ///< [inputs]: share of the products
};

/// Row of the layer that an input drives.
std::size_t row_of(const mapping::LayerPlan& plan, std::int64_t input) {
  return static_cast<std::size_t>(input / plan.rows_per_group * plan.block_rows() + input % plan.rows_per_group);
}

/// Patches of the values' own numbers, in two digits so that floats hold them exactly; padding is 0.
InputUse input_use(const models::MatrixOperation& operation, const mapping::LayerPlan& plan,
                   std::span<const double> row_S, models::Shape shape) {
  const std::int64_t inputs = plan.inputs();
  constexpr std::int64_t kDigit = 4096;
  shape[0] = 1;
  const std::int64_t values = models::element_count(shape), positions = operation.positions(shape);
  models::Tensor low{shape, std::vector<float>(static_cast<std::size_t>(values))}, high = low;
  for (std::int64_t k = 0; k < values; ++k) {
    low.data[static_cast<std::size_t>(k)] = static_cast<float>(k % kDigit + 1);
    high.data[static_cast<std::size_t>(k)] = static_cast<float>(k / kDigit);
  }
  InputUse use{std::vector<double>(static_cast<std::size_t>(values)),
               std::vector<double>(static_cast<std::size_t>(values)),
               std::vector<double>(static_cast<std::size_t>(inputs))};
  std::vector<float> digit, rest;
  for (std::int64_t first = 0; first < positions; first += models::kPatchBlock) {
    const std::int64_t count = std::min(models::kPatchBlock, positions - first);
    digit.resize(static_cast<std::size_t>(count * inputs));
    rest.resize(digit.size());
    operation.patches(low, first, count, digit.data());
    operation.patches(high, first, count, rest.data());
    for (std::size_t k = 0; k < digit.size(); ++k) {
      const std::size_t input = k % static_cast<std::size_t>(inputs);
      if (digit[k] == 0.0F) {
        use.padding[input] += 1.0 / static_cast<double>(positions);
        continue;
      }
      const std::size_t value = static_cast<std::size_t>(rest[k]) * kDigit + static_cast<std::size_t>(digit[k]) - 1;
      ++use.times[value];
      use.conductances_S[value] += row_S[row_of(plan, static_cast<std::int64_t>(input))];
    }
  }
  return use;
}

void add_to(std::vector<double>& sum, const std::vector<double>& part) {
  if (sum.empty()) sum.resize(part.size(), 0.0);
  TELLEGEN_ASSERT(sum.size() == part.size() || part.empty());
  std::transform(part.begin(), part.end(), sum.begin(), sum.begin(), std::plus<>());
}

/// Of equal width, from `low` on.
struct Bins {
  double low = 0, per_unit = 1;
  std::size_t count = 1;
};

Bins bins_of(const circuits::Dac& dac) {
  if (dac.config.bits.ideal())
    return {dac.is_signed ? -1.0 : 0.0, kIdealBins / (dac.is_signed ? 2.0 : 1.0), kIdealBins};
  const std::int64_t most = dac.max_code();
  return {dac.is_signed ? -static_cast<double>(most) : 0.0, 1,
          static_cast<std::size_t>(most * (dac.is_signed ? 2 : 1) + 1)};
}

/// What a layer, or one step of it, makes of its input.
using LayerForward = std::function<models::Tensor(std::size_t layer, const models::Tensor& input)>;

/// Of all layers, over samples first .. first + count - 1, while `forward` computes the layers' products, gates included.
std::vector<LayerValues> batch_values(const Workload& workload, const mapping::Plan& plan,
                                      const ExperimentConfig& config, const std::vector<DesignedLayer>& designed,
                                      std::int64_t first, std::int64_t count, std::int64_t kept_reads,
                                      models::StreamMemory* memory, const LayerForward& forward) {
  std::vector<ValueCollector> collectors;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    const mapping::LayerPlan& layer = plan.layers[l];
    collectors.emplace_back(mapping::product_operation(workload.network, layer.node, layer.matrix), layer, designed[l],
                            config, kept_reads);
  }
  const std::vector<std::size_t> owner = digital_owners(workload.network, plan);
  std::vector<std::map<std::string, std::int64_t>> digital(plan.layers.size());
  models::Hooks hooks;
  hooks.memory = memory;
  const auto pass = [&](std::size_t l, const models::Tensor& input) {
    collectors[l].add(input);
    return forward(l, input);
  };
  hooks.product = [&](const models::Node&, std::size_t index, const models::Tensor& input) {
    return pass(mapping::layer_of(plan, index).value(), input);
  };
  hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix, const models::Tensor& states) {
    return pass(mapping::layer_of(plan, index, matrix).value(), states);
  };
  hooks.observer = [&](const models::Node& node, std::size_t index, const models::Tensor& output) {
    for (const auto& [unit, operations] : digital_work(workload.network, node, output))
      digital[owner[index]][unit] += operations;
  };
  models::execute(workload.network, workload.data.batch(first, count), hooks);
  std::vector<LayerValues> values;
  for (std::size_t l = 0; l < collectors.size(); ++l) {
    values.push_back(collectors[l].take());
    values.back().digital = std::move(digital[l]);
  }
  return values;
}

/// Samples begin .. begin + samples - 1 in batches, which run in order on one thread where the network streams.
ValueStatistics over_batches(const Workload& workload, const mapping::Plan& plan, const ExperimentConfig& config,
                             std::int64_t begin, std::int64_t samples, int threads, const LayerForward& forward) {
  const std::int64_t batch = config.evaluate.batch, batches = (samples + batch - 1) / batch;
  const std::int64_t kept = std::max<std::int64_t>(1, kKeptReads / batches);
  std::vector<std::vector<LayerValues>> parts(static_cast<std::size_t>(batches));
  ValueStatistics statistics;
  statistics.samples = samples;
  statistics.designed = designed_layers(workload, plan, config);
  models::StreamMemory memory;
  const bool streaming = workload.network.streaming;
  parallel_for(parts.size(), streaming ? 1 : threads, [&](std::size_t b) {
    const std::int64_t first = static_cast<std::int64_t>(b) * batch;
    parts[b] = batch_values(workload, plan, config, statistics.designed, begin + first,
                            std::min(batch, samples - first), kept, streaming ? &memory : nullptr, forward);
  });
  statistics.layers.resize(plan.layers.size());
  for (const std::vector<LayerValues>& part : parts) {
    for (std::size_t l = 0; l < part.size(); ++l) statistics.layers[l] += part[l];
  }
  return statistics;
}

}  // namespace

LayerValues& LayerValues::operator+=(const LayerValues& other) {
  products += other.products;
  add_to(histogram.counts, other.histogram.counts);
  add_to(histogram.conductances_S, other.histogram.conductances_S);
  add_to(histogram.sums, other.histogram.sums);
  if (padding.empty()) padding = other.padding;
  sums.resize(std::max(sums.size(), other.sums.size()));
  for (std::size_t s = 0; s < other.sums.size(); ++s) {
    add_to(sums[s].cell, other.sums[s].cell);
    add_to(sums[s].line, other.sums[s].line);
  }
  reads.resize(std::max(reads.size(), other.reads.size()));
  for (std::size_t s = 0; s < other.reads.size(); ++s)
    reads[s].insert(reads[s].end(), other.reads[s].begin(), other.reads[s].end());
  for (const auto& [unit, count] : other.digital) digital[unit] += count;
  return *this;
}

std::vector<DesignedLayer> designed_layers(const Workload& workload, const mapping::Plan& plan,
                                           const ExperimentConfig& config) {
  ExperimentConfig as_told = config;
  as_told.chip.crossbar.fidelity = mapping::Fidelity::ideal;
  const auto device = config.chip.device.make();
  std::vector<DesignedLayer> layers;
  for (const mapping::LayerPlan& layer_plan : plan.layers) {
    const LayerWeights weights = layer_weights(workload, layer_plan, config);
    DesignedLayer layer;
    layer.path.node = layer_plan.node;
    layer.path.dac = weights.dac;
    layer.path.dac.config.mismatch = {};
    layer.path.gate = weights.gate;
    if (config.evaluate.energy == EnergyMethod::histogram) {
      layer.row_S.resize(static_cast<std::size_t>(layer_plan.rows()), 0.0);
      for (const mapping::TileSlice& slice : layer_plan.slices) {
        const TileCells cells = program_cells(weights, layer_plan, slice, *device, as_told, 0);
        const auto columns = static_cast<std::size_t>(cells.layout.physical_columns);
        for (std::size_t k = 0; k < cells.target_S.size(); ++k)
          layer.row_S[static_cast<std::size_t>(slice.row_begin) + k / columns] +=
              static_cast<double>(cells.target_S[k]);
      }
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

ValueCollector::ValueCollector(const models::MatrixOperation& operation, const mapping::LayerPlan& plan,
                               const DesignedLayer& designed, const ExperimentConfig& config, std::int64_t kept_reads)
    : operation_(operation), plan_(plan), config_(config), designed_(designed), kept_reads_(kept_reads) {}

void ValueCollector::add(const models::Tensor& input) {
  const bool wires = config_.chip.crossbar.fidelity == mapping::Fidelity::circuit;
  if (config_.evaluate.energy == EnergyMethod::histogram) add_to_histogram(input);
  if (config_.evaluate.energy == EnergyMethod::row_moments || wires) add_to_rows(input);
  values_.products += input.shape[0] * operation_.positions(input.shape);
}

void ValueCollector::add_to_histogram(const models::Tensor& input) {
  const Bins bins = bins_of(designed_.path.dac);
  values_.histogram.counts.resize(bins.count, 0.0);
  values_.histogram.conductances_S.resize(bins.count, 0.0);
  values_.histogram.sums.resize(bins.count, 0.0);
  const InputUse use = input_use(operation_, plan_, designed_.row_S, input.shape);
  if (values_.padding.empty()) values_.padding = use.padding;
  std::vector<float> codes = input.data;
  circuits::to_codes<float>(designed_.path.dac, codes);
  for (std::size_t k = 0; k < codes.size(); ++k) {
    const double code = static_cast<double>(codes[k]);
    if (!std::isfinite(code)) continue;
    const double place = std::floor((code - bins.low) * bins.per_unit);
    const auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins.count - 1)));
    const double times = use.times[k % use.times.size()];
    values_.histogram.counts[bin] += times;
    values_.histogram.conductances_S[bin] += use.conductances_S[k % use.times.size()];
    values_.histogram.sums[bin] += times * code;
  }
}

void ValueCollector::gate(std::vector<float>& drives) const {
  const ProgrammedLayer<float>& path = designed_.path;
  if (!path.gate) return;
  const std::vector<float> before = drives;
  gate_as_designed(path.gate, path.gate.x_scale * path.dac.slice_weight(0), drives);
  for (std::size_t k = 0; plan_.bias_rows > 0 && k < drives.size(); ++k) {
    const std::int64_t row = static_cast<std::int64_t>(k) % plan_.rows();
    if (row % plan_.block_rows() == plan_.rows_per_group) drives[k] = before[k];
  }
}

void ValueCollector::add_to_rows(const models::Tensor& input) {
  const LayerInput<float> converted(designed_.path, plan_, operation_, input);
  const bool moments = config_.evaluate.energy == EnergyMethod::row_moments;
  const bool wires = config_.chip.crossbar.fidelity == mapping::Fidelity::circuit;
  const std::int64_t rows = plan_.rows(), stride = std::max<std::int64_t>(1, converted.products() / kept_reads_);
  values_.sums.resize(static_cast<std::size_t>(converted.slices()));
  values_.reads.resize(wires ? values_.sums.size() : 0);
  PathScratch<float> scratch;
  DriveSums<double> part;
  for (std::size_t s = 0; s < values_.sums.size(); ++s) {
    for (std::int64_t first = 0; first < converted.products(); first += models::kPatchBlock) {
      const std::int64_t count = std::min(models::kPatchBlock, converted.products() - first);
      converted.gather(static_cast<int>(s), first, count, scratch);
      gate(scratch.drive);
      const std::vector<double> drives(scratch.drive.begin(), scratch.drive.end());
      if (moments) {
        sum_drives(drives.data(), rows, count, config_.chip.dac.by_width(), part);
        add_to(values_.sums[s].cell, part.cell);
        add_to(values_.sums[s].line, part.line);
      }
      for (std::int64_t r = 0; wires && r < count; ++r) {
        const auto begin = drives.begin() + r * rows;
        if ((first + r) % stride == 0) values_.reads[s].insert(values_.reads[s].end(), begin, begin + rows);
      }
    }
  }
}

ValueStatistics float_values(const Workload& workload, const mapping::Plan& plan, const ExperimentConfig& config,
                             int threads) {
  const LayerForward forward = [&](std::size_t l, const models::Tensor& input) {
    const mapping::LayerPlan& layer = plan.layers[l];
    const models::Tensor* inputs[] = {&input};
    if (!layer.matrix) return models::run_node(workload.network.nodes[layer.node], inputs);
    return mapping::product_operation(workload.network, layer.node, layer.matrix).run(inputs);
  };
  return over_batches(workload, plan, config, 0, workload.samples, threads, forward);
}

template <class T>
ValueStatistics chip_values(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                            const ExperimentConfig& config) {
  const PathContext context = path_context(config, chip.chip);
  std::vector<std::uint64_t> next_read(plan.layers.size(), kStatisticsReads);
  const LayerForward forward = [&](std::size_t l, const models::Tensor& input) {
    const mapping::LayerPlan& layer = plan.layers[l];
    LayerEvents events;
    models::Tensor output =
        layer_forward(chip.layers[l], layer, mapping::product_operation(workload.network, layer.node, layer.matrix),
                      input, context, next_read[l], events);
    next_read[l] += static_cast<std::uint64_t>(events.products);
    return output;
  };
  const std::int64_t count = std::min<std::int64_t>(config.evaluate.calibration_samples, workload.data.size());
  return over_batches(workload, plan, config, workload.data.size() - count, count, 1, forward);
}

template ValueStatistics chip_values<float>(const ProgrammedChip<float>&, const Workload&, const mapping::Plan&,
                                            const ExperimentConfig&);
template ValueStatistics chip_values<double>(const ProgrammedChip<double>&, const Workload&, const mapping::Plan&,
                                             const ExperimentConfig&);

std::vector<double> bin_drives(const ValueHistogram& histogram, const ProgrammedLayer<float>& designed, int slice) {
  std::vector<float> codes(histogram.counts.size());
  for (std::size_t b = 0; b < codes.size(); ++b)
    codes[b] = histogram.counts[b] > 0 ? static_cast<float>(histogram.sums[b] / histogram.counts[b]) : 0.0F;
  std::vector<float> drives(codes.size());
  circuits::slice_drive<float>(designed.dac, codes, slice, drives);
  if (designed.gate) gate_as_designed(designed.gate, designed.gate.x_scale * designed.dac.slice_weight(0), drives);
  return {drives.begin(), drives.end()};
}

}  // namespace tellegen::sim
