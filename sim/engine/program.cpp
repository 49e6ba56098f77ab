#include "tellegen/sim/engine/program.h"

#include <algorithm>

#include "tellegen/sim/engine/circuit_array.h"
#include "tellegen/sim/engine/line_matrix.h"
#include "tellegen/sim/engine/tile_cells.h"

namespace tellegen::sim {
namespace {

using mapping::LayerPlan;
using mapping::TileSlice;

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

/// Cells to what multiplies: a plain matrix, one with the wires in it, or a non-linear array.
template <class T>
void make_multiply(const mapping::ChipConfig& chip, const TileCells& cells, const devices::ConductanceDevice& device,
                   CircuitArrays& circuit_arrays, ProgrammedTile<T>& tile) {
  using mapping::Fidelity;
  const double v_read_V = chip.dac.v_read.si();
  const devices::ReadStatistics& read = cells.read;
  const devices::CellLaw law = chip.device.iv.make();
  if (chip.crossbar.fidelity != Fidelity::ideal && !is_ohmic(law)) {
    tile.law = make_law_tile<T>(chip, cells);
    tile.read_gain = read_gain(law, device.g_min(), device.g_max(), v_read_V);
    tile.array =
        line_matrix<T>(cells.layout, cells.rows, secant_conductances(law, read.mean_S, v_read_V), {}, v_read_V);
  } else if (chip.crossbar.fidelity == Fidelity::circuit) {
    const bool drawn = chip.crossbar.read_noise == mapping::NoiseThroughWires::exact && !read.variance_S2.empty();
    const std::span<const float> variance_S2 =
        drawn ? std::span<const float>() : std::span<const float>(read.variance_S2);
    tile.array =
        circuit_arrays.make<T>(cells.layout, cells.rows, read.mean_S, variance_S2, v_read_V, tile.admittance_S);
    if (drawn)
      tile.cell_noise = circuit_arrays.cell_noise(cells.layout, cells.rows, read.mean_S, read.variance_S2, v_read_V);
  } else {
    tile.array = line_matrix<T>(cells.layout, cells.rows, read.mean_S, read.variance_S2, v_read_V);
  }
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
    const LayerWeights weights = layer_weights(workload, layer_plan, config);
    ProgrammedLayer<T> layer;
    layer.node = layer_plan.node;
    layer.dac = weights.dac;
    layer.gate = weights.gate;
    layer.scales = weights.scales;
    layer.gain.assign(static_cast<std::size_t>(layer_plan.outputs()), T(1));
    for (const TileSlice& slice : layer_plan.slices) {
      const TileCells cells = program_cells(weights, layer_plan, slice, *device, config, chip);
      ProgrammedTile<T> tile;
      tile.slice = slice;
      tile.layout = cells.layout;
      make_multiply(config.chip, cells, *device, circuit_arrays, tile);
      tile.dacs = sample_dacs(layer.dac, layer_plan, slice, config.evaluate.seed, static_cast<std::uint32_t>(chip));
      if (layer.gate)
        tile.gate_errors = sample_gates(
            layer.gate, slice,
            {config.evaluate.seed, static_cast<std::uint32_t>(chip), static_cast<std::uint32_t>(slice.tile)});
      if (config.chip.crossbar.fidelity != mapping::Fidelity::ideal) {
        tile.faults = fault_share(cells.programmed);
        layer.spread.add(*device, cells.target_S, cells.programmed, cells.read.mean_S);
      }
      if (compensate) remember(layer, layer_plan, tile, cells.programmed.g_S);
      layer.tiles.push_back(std::move(tile));
    }
    result.layers.push_back(std::move(layer));
  }
  for (const mapping::AnalogUnit& unit : plan.analog_units)
    result.units.push_back(
        program_unit({unit, workload.network.nodes[unit.node], config, static_cast<std::uint32_t>(chip)}));
  return result;
}

template ProgrammedChip<float> program<float>(const Workload&, const mapping::Plan&, const ExperimentConfig&, int);
template ProgrammedChip<double> program<double>(const Workload&, const mapping::Plan&, const ExperimentConfig&, int);

}  // namespace tellegen::sim
