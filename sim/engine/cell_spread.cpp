#include "tellegen/sim/engine/cell_spread.h"

#include <algorithm>
#include <cmath>

namespace tellegen::sim {

void CellSpread::add(const devices::ConductanceDevice& device, std::span<const float> target_S,
                     const devices::ProgrammedCells& programmed, std::span<const float> read_mean_S) {
  const double g_min_S = device.g_min().si();
  const double range_S = device.g_max().si() - g_min_S;
  pulses += programmed.pulses;
  for (std::size_t i = 0; i < target_S.size(); ++i) {
    if (!programmed.faults.empty() && programmed.faults[i] != devices::Fault::none) continue;
    const double target = static_cast<double>(target_S[i]);
    const double place = std::clamp((target - g_min_S) / range_S, 0.0, 1.0) * static_cast<double>(levels - 1);
    Level& at = level[static_cast<std::size_t>(std::lround(place))];
    const double written = static_cast<double>(programmed.g_S[i]) - target;
    const double read = static_cast<double>(read_mean_S[i]) - target;
    ++at.cells;
    at.target_S += target;
    at.programmed_S += written;
    at.programmed_square_S2 += written * written;
    at.read_S += read;
    at.read_square_S2 += read * read;
  }
}

CellSpread& CellSpread::operator+=(const CellSpread& other) {
  pulses += other.pulses;
  for (std::size_t l = 0; l < levels; ++l) {
    level[l].cells += other.level[l].cells;
    level[l].target_S += other.level[l].target_S;
    level[l].programmed_S += other.level[l].programmed_S;
    level[l].programmed_square_S2 += other.level[l].programmed_square_S2;
    level[l].read_S += other.level[l].read_S;
    level[l].read_square_S2 += other.level[l].read_square_S2;
  }
  return *this;
}

double spread_deviation(std::int64_t count, double sum, double sum_of_squares) {
  if (count < 2) return 0;
  const double n = static_cast<double>(count);
  return std::sqrt(std::max(0.0, (sum_of_squares - sum * sum / n) / (n - 1)));
}

}  // namespace tellegen::sim
