#pragma once
// From the weights of a layer to the cells of one tile: targets, what programming made of them, how a read sees them.
// The same draws whoever asks: the chip of a run, or a netlist of one of its tiles.

#include <cstdint>
#include <vector>

#include "tellegen/circuits/converter/dac.h"
#include "tellegen/devices/conductance_device.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/load.h"
#include "tellegen/sim/engine/row_gates.h"

namespace tellegen::sim {

/// What a layer asks of its tiles, before any device.
struct LayerWeights {
  circuits::Dac dac;
  LayerGate gate;              ///< behind the DACs; no circuit where the boundary is digital
  std::vector<float> own;      ///< [outputs][rows_per_group + bias_rows]; a bias in units of a full-scale input
  std::vector<double> scales;  ///< [outputs]: weight value of the largest encodable magnitude
};
LayerWeights layer_weights(const Workload& workload, const mapping::LayerPlan& plan, const ExperimentConfig& config);

/// All arrays [rows][layout.physical_columns]. Where fidelity is ideal, cells are their targets.
struct TileCells {
  mapping::Layout layout;
  std::int64_t rows = 0;
  std::vector<float> target_S;
  devices::ProgrammedCells programmed;
  devices::ReadStatistics read;
};
/// `write`: which writing of a tile that is written again and again.
TileCells program_cells(const LayerWeights& weights, const mapping::LayerPlan& plan, const mapping::TileSlice& slice,
                        const devices::ConductanceDevice& device, const ExperimentConfig& config, int chip,
                        std::uint32_t write = 0);

}  // namespace tellegen::sim
