#include "tellegen/sim/engine/tile_cells.h"

#include <algorithm>

#include "tellegen/mapping/products.h"
#include "tellegen/models/operation.h"

namespace tellegen::sim {
namespace {

using mapping::LayerPlan;

/// Each output's own weights, the bias behind them.
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

circuits::Dac make_dac(const InputRange& range, const circuits::DacConfig& config) {
  circuits::Dac dac;
  dac.config = config;
  dac.full_scale = range.max_abs > 0 ? range.max_abs : 1.0;
  dac.is_signed = range.is_signed;
  return dac;
}

}  // namespace

LayerWeights layer_weights(const Workload& workload, const LayerPlan& plan, const ExperimentConfig& config) {
  const models::MatrixOperation& operation = mapping::product_operation(workload.network, plan.node, plan.matrix);
  LayerWeights out;
  out.dac = make_dac(workload.input_of(plan), config.chip.dac);
  if (plan.boundary == mapping::Boundary::analog) out.dac.config.bits.bits = 0;  // no DAC: voltages as they come
  if (plan.front_end != nullptr) {
    const InputRange& range = workload.gated[plan.node];
    out.gate = {plan.front_end, workload.network.nodes[plan.node].gate->activation, plan.gate_scale,
                range.max_abs > 0 ? range.max_abs : 1.0, range.is_signed};
  }
  out.own = weights_with_bias(operation, plan, out.gate ? out.gate.full_scale : out.dac.full_scale);
  out.scales = mapping::weight_scales(config.chip.tile.encoding, out.own, plan.outputs());
  return out;
}

TileCells program_cells(const LayerWeights& weights, const LayerPlan& plan, const mapping::TileSlice& slice,
                        const devices::ConductanceDevice& device, const ExperimentConfig& config, int chip,
                        std::uint32_t write) {
  const mapping::EncodingConfig& encoding = config.chip.tile.encoding;
  TileCells cells;
  cells.rows = slice.rows();
  cells.layout = mapping::make_layout(encoding, static_cast<int>(slice.outputs()), device.g_min(), device.g_max());
  const std::span<const double> scales(weights.scales.data() + slice.output_begin,
                                       static_cast<std::size_t>(slice.outputs()));
  cells.target_S = mapping::encode(encoding, cells.layout, mapping::slice_weights(plan, slice, weights.own), cells.rows,
                                   scales, device.g_min(), device.g_max());
  if (config.chip.crossbar.fidelity == mapping::Fidelity::ideal) {
    cells.programmed.g_S = cells.target_S;
    cells.read.mean_S = cells.target_S;
    return cells;
  }
  const devices::ArrayAddress address{
      config.evaluate.seed, {static_cast<std::uint32_t>(chip), static_cast<std::uint32_t>(slice.tile), 0}, write};
  cells.programmed = device.program(cells.target_S, address);
  cells.read = device.read(cells.programmed, config.chip.device.conditions, address);
  return cells;
}

}  // namespace tellegen::sim
