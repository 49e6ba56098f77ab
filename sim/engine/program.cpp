#include "tellegen/sim/engine/program.h"

#include <algorithm>

#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/circuit_array.h"

namespace tellegen::sim {
namespace {

using mapping::LayerPlan;
using mapping::TileSlice;

const models::MatrixOperation& matrix_operation(const Workload& workload, const LayerPlan& plan) {
  return dynamic_cast<const models::MatrixOperation&>(*workload.network.nodes[plan.node].operation);
}

/// [outputs][rows_per_group + bias_rows]: each output's own weights, the bias in units of a full-scale input behind
/// them.
std::vector<float> weights_with_bias(const models::MatrixOperation& operation, const LayerPlan& plan,
                                     double full_scale) {
  const std::int64_t k = plan.rows_per_group;
  const std::int64_t width = k + plan.bias_rows;
  std::vector<float> all(static_cast<std::size_t>(plan.outputs() * width));
  for (std::int64_t n = 0; n < plan.outputs(); ++n) {
    const float* own = operation.weights().data() + n * k;
    std::copy(own, own + k, all.data() + n * width);
    if (plan.bias_rows > 0) {
      const float bias = operation.bias()[static_cast<std::size_t>(n)];
      all[static_cast<std::size_t>(n * width + k)] = static_cast<float>(static_cast<double>(bias) / full_scale);
    }
  }
  return all;
}

/// Cells to lines: what the converters see.
template <class T>
circuits::Array<T> make_array(const mapping::Layout& layout, std::int64_t rows, std::span<const float> mean_S,
                              std::span<const float> variance_S2, double v_read_V) {
  circuits::Array<T> array;
  array.rows = rows;
  array.lines = static_cast<std::int64_t>(layout.lines.size());
  array.current_A.resize(static_cast<std::size_t>(rows * array.lines));
  if (!variance_S2.empty()) array.variance_A2.resize(array.current_A.size());
  array.row_power_W.resize(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::size_t row = static_cast<std::size_t>(i * layout.physical_columns);
    double sum_S = 0;
    for (int c = 0; c < layout.physical_columns; ++c)
      sum_S += static_cast<double>(mean_S[row + static_cast<std::size_t>(c)]);
    array.row_power_W[static_cast<std::size_t>(i)] = v_read_V * v_read_V * sum_S;
    for (std::size_t j = 0; j < layout.lines.size(); ++j) {
      const mapping::Line& line = layout.lines[j];
      const std::size_t at = static_cast<std::size_t>(i * array.lines) + j;
      const std::size_t plus = row + static_cast<std::size_t>(line.plus);
      double g_S = static_cast<double>(mean_S[plus]);
      if (line.minus >= 0) g_S -= static_cast<double>(mean_S[row + static_cast<std::size_t>(line.minus)]);
      array.current_A[at] = static_cast<T>(v_read_V * g_S);
      if (variance_S2.empty()) continue;
      double variance = static_cast<double>(variance_S2[plus]);
      if (line.minus >= 0) variance += static_cast<double>(variance_S2[row + static_cast<std::size_t>(line.minus)]);
      array.variance_A2[at] = static_cast<T>(v_read_V * v_read_V * variance);
    }
  }
  return array;
}

circuits::Dac make_dac(const Workload& workload, const LayerPlan& plan, const ExperimentConfig& config) {
  const InputRange& range = workload.inputs[plan.node];
  circuits::Dac dac;
  dac.config = config.chip.dac;
  dac.full_scale = range.max_abs > 0 ? range.max_abs : 1.0;
  dac.is_signed = range.is_signed;
  return dac;
}

double fault_share(const devices::ProgrammedCells& cells) {
  if (cells.faults.empty()) return 0;
  const auto faulty = std::count_if(cells.faults.begin(), cells.faults.end(),
                                    [](devices::Fault f) { return f != devices::Fault::none; });
  return static_cast<double>(faulty) / static_cast<double>(cells.faults.size());
}

/// Keeps what the cells were right after programming, for drift compensation.
template <class T>
void remember(ProgrammedLayer<T>& layer, const LayerPlan& plan, const ProgrammedTile<T>& tile,
              std::span<const float> g_S) {
  const TileSlice& slice = tile.slice;
  const std::int64_t rows = slice.row_end - slice.row_begin;
  const std::span<const double> scales(layer.scales.data() + slice.output_begin,
                                       static_cast<std::size_t>(tile.layout.outputs));
  const std::vector<double> weights = mapping::decode(tile.layout, g_S, rows, scales);
  if (layer.weights_as_programmed.empty())
    layer.weights_as_programmed.resize(static_cast<std::size_t>(plan.outputs() * plan.rows()), 0.0F);
  for (std::int64_t n = 0; n < tile.layout.outputs; ++n) {
    for (std::int64_t i = 0; i < rows; ++i) {
      layer.weights_as_programmed[static_cast<std::size_t>((slice.output_begin + n) * plan.rows() + slice.row_begin +
                                                           i)] =
          static_cast<float>(weights[static_cast<std::size_t>(n * rows + i)]);
    }
  }
}

template <class T>
ProgrammedTile<T> program_tile(ProgrammedLayer<T>& layer, const LayerPlan& plan, const TileSlice& slice,
                               const std::vector<float>& own, const devices::ConductanceDevice& device,
                               const ExperimentConfig& config, int chip, CircuitArrays& circuit_arrays,
                               std::vector<float>& programmed_S) {
  const mapping::EncodingConfig& encoding = config.chip.tile.encoding;
  ProgrammedTile<T> tile;
  tile.slice = slice;
  const std::int64_t rows = slice.row_end - slice.row_begin;
  tile.layout = mapping::make_layout(encoding, static_cast<int>(slice.output_end - slice.output_begin), device.g_min(),
                                     device.g_max());
  const std::span<const double> scales(layer.scales.data() + slice.output_begin,
                                       static_cast<std::size_t>(tile.layout.outputs));
  const std::vector<float> weights = mapping::slice_weights(plan, slice, own);
  programmed_S = mapping::encode(encoding, tile.layout, weights, rows, scales, device.g_min(), device.g_max());
  const double v_read_V = config.chip.dac.v_read.si();
  if (config.chip.crossbar.fidelity == mapping::Fidelity::ideal) {
    tile.array = make_array<T>(tile.layout, rows, programmed_S, {}, v_read_V);
    return tile;
  }
  const devices::ArrayAddress address{config.evaluate.seed,
                                      {static_cast<std::uint32_t>(chip), static_cast<std::uint32_t>(slice.tile), 0}};
  const devices::ProgrammedCells cells = device.program(programmed_S, address);
  const devices::ReadStatistics read = device.read(cells, config.chip.device.conditions, address);
  if (config.chip.crossbar.fidelity == mapping::Fidelity::circuit) {
    const bool drawn =
        config.chip.crossbar.read_noise == mapping::NoiseThroughWires::exact && !read.variance_S2.empty();
    const std::span<const float> variance_S2 =
        drawn ? std::span<const float>() : std::span<const float>(read.variance_S2);
    tile.array = circuit_arrays.make<T>(tile.layout, rows, read.mean_S, variance_S2, v_read_V, tile.admittance_S);
    if (drawn) tile.cell_noise = circuit_arrays.cell_noise(tile.layout, rows, read.mean_S, read.variance_S2, v_read_V);
  } else {
    tile.array = make_array<T>(tile.layout, rows, read.mean_S, read.variance_S2, v_read_V);
  }
  tile.faults = fault_share(cells);
  layer.spread.add(device, programmed_S, cells, read.mean_S);
  programmed_S = cells.g_S;
  return tile;
}

}  // namespace

template <class T>
ProgrammedChip<T> program(const Workload& workload, const mapping::Plan& plan, const ExperimentConfig& config,
                          int chip) {
  const auto device = config.chip.device.make();
  const bool compensate =
      config.chip.drift_compensation != mapping::Compensation::none && config.chip.device.conditions.age.si() > 0;
  CircuitArrays circuit_arrays(config.chip.crossbar.wires);
  ProgrammedChip<T> result;
  result.chip = chip;
  for (const LayerPlan& layer_plan : plan.layers) {
    ProgrammedLayer<T> layer;
    layer.node = layer_plan.node;
    layer.dac = make_dac(workload, layer_plan, config);
    const std::vector<float> own =
        weights_with_bias(matrix_operation(workload, layer_plan), layer_plan, layer.dac.full_scale);
    layer.scales = mapping::weight_scales(config.chip.tile.encoding, own, layer_plan.outputs());
    layer.gain.assign(static_cast<std::size_t>(layer_plan.outputs()), T(1));
    std::vector<float> programmed_S;
    for (const TileSlice& slice : layer_plan.slices) {
      layer.tiles.push_back(
          program_tile(layer, layer_plan, slice, own, *device, config, chip, circuit_arrays, programmed_S));
      if (compensate) remember(layer, layer_plan, layer.tiles.back(), programmed_S);
    }
    result.layers.push_back(std::move(layer));
  }
  return result;
}

template ProgrammedChip<float> program<float>(const Workload&, const mapping::Plan&, const ExperimentConfig&, int);
template ProgrammedChip<double> program<double>(const Workload&, const mapping::Plan&, const ExperimentConfig&, int);

}  // namespace tellegen::sim
