#pragma once
// One tile of the chip of an experiment as a circuit, with the voltages that one sample of the test set puts on its
// rows: for netlists, and to look at.

#include <cstdint>
#include <optional>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"
#include "tellegen/devices/cell_law.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/load.h"

namespace tellegen::sim {

/// Numbers count from 0.
struct ProbeRequest {
  std::size_t layer = 0;    ///< in Plan::layers
  std::size_t tile = 0;     ///< of that layer
  int chip = 0;             ///< which of the independently programmed ones
  std::int64_t sample = 0;  ///< of the test set
  /// Of the layer's products of one sample; not given: the one that drives the rows of the tile most.
  std::optional<std::int64_t> position = {};
};

struct TileProbe {
  mapping::TileSlice slice;
  std::int64_t position = 0;   ///< the one that was asked for, or found
  circuits::Wires wires;       ///< without resistance where chip.crossbar.fidelity is not circuit
  devices::CellLaw law;        ///< Ohm's where fidelity is ideal
  std::vector<double> cell_S;  ///< [rows][columns], mean of a read at chip.device.age
  /// Per input slice of the DAC [rows]: what the float network puts into the layer, behind the DAC and, where there are
  /// any, threshold gates without errors. Inputs by width of pulses are shown while all pulses last.
  std::vector<std::vector<double>> input_V;
};

/// The plan must be that of `config`. Throws InputError for a number that is out of range.
TileProbe probe_tile(const ExperimentConfig& config, const mapping::Plan& plan, const ProbeRequest& request,
                     int threads);

}  // namespace tellegen::sim
