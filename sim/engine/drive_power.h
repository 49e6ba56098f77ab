#pragma once
// Which power drives put into a tile and its row lines.

#include <cstdint>
#include <vector>

#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/program.h"

namespace tellegen::sim {

/// Sums of drives over reads, by row of the layer.
template <class T>
struct DriveSums {
  std::vector<T> cell;  ///< shares of a full drive that cells take
  std::vector<T> line;  ///< squares of the heights that lines are charged to
};

/// What line and cell energies are made of, by row, summed over reads. A drive by height u takes u^2 of a full one, in
/// the cells and on the line; a drive by width is at full height for |u| of the time, and charges the line fully
/// whatever its width. `drive` [count][rows].
template <class T>
void sum_drives(const T* drive, std::int64_t rows, std::int64_t count, bool by_width, DriveSums<T>& sums);

/// With wires the power is worked out for one read in so many; a divisor of a block of products.
inline constexpr std::int64_t kPowerStride = 66;

/// Power of one tile with wires over the sum over its rows, found from every `stride`-th of `count` reads
/// drive[count][layer rows]; 1 without wires.
template <class T, class Drive>
double wire_factor(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const DriveForm& form,
                   std::int64_t count, std::int64_t stride, const Drive* drive);

/// Power of the cells of one tile (and of its wires), summed over reads, each weighted with the share of a full drive's
/// time that it lasts [W]. With wires it is u' Y u, worked out for every kPowerStride-th read; the others are taken to differ from
/// their sum over rows by the same factor. `drive` [count][layer rows]. For cells that follow Ohm's law.
template <class T>
double ohmic_power_W(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const DriveForm& form,
                     std::int64_t count, const T* drive, const DriveSums<T>& sums);

/// Squares of the voltages that the row lines of one tile are charged to [V^2].
template <class T, class Sum>
double line_drive_V2(const ProgrammedTile<T>& tile, double v_read_V, const DriveSums<Sum>& sums);

}  // namespace tellegen::sim
