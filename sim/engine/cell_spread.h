#pragma once
// How far cells ended from where they were sent, by target conductance, and what programming took: what a device did on
// this chip.

#include <array>
#include <cstdint>
#include <span>

#include "tellegen/devices/conductance_device.h"

namespace tellegen::sim {

/// Sums over cells whose target is nearest to one of 17 conductances, evenly spaced from g_min to g_max. Stuck cells
/// are left out.
struct CellSpread {
  static constexpr std::size_t levels = 17;
  struct Level {
    std::int64_t cells = 0;
    double target_S = 0;              ///< sum of targets
    double programmed_S = 0;          ///< sum of (programmed - target)
    double programmed_square_S2 = 0;  ///< sum of its squares
    double read_S = 0;                ///< sum of (mean read under the chip's conditions - target)
    double read_square_S2 = 0;
  };
  std::array<Level, levels> level;
  devices::PulseCount pulses;  ///< of devices that are programmed pulse by pulse

  void add(const devices::ConductanceDevice& device, std::span<const float> target_S,
           const devices::ProgrammedCells& programmed, std::span<const float> read_mean_S);
  CellSpread& operator+=(const CellSpread& other);
};

/// Standard deviation from a count, a sum and a sum of squares (0 for fewer than two).
double spread_deviation(std::int64_t count, double sum, double sum_of_squares);

}  // namespace tellegen::sim
