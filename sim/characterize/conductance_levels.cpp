#include "tellegen/sim/characterize/conductance_levels.h"

#include <algorithm>
#include <cmath>

namespace tellegen::characterize {

Spread spread_of(std::vector<float> values) {
  Spread s;
  // Counted from the first value, so that equal values have no spread.
  for (const float v : values) s.mean += (v - static_cast<double>(values.front())) / static_cast<double>(values.size());
  s.mean += values.front();
  for (const float v : values) s.sigma += (v - s.mean) * (v - s.mean) / static_cast<double>(values.size() - 1);
  s.sigma = std::sqrt(s.sigma);
  std::sort(values.begin(), values.end());
  s.low = values[values.size() / 20];
  s.high = values[values.size() - 1 - values.size() / 20];
  return s;
}

std::vector<double> levels_of(const devices::ConductanceDevice& device, std::size_t most) {
  const std::size_t own = static_cast<std::size_t>(device.levels());
  return evenly(device.g_min().si(), device.g_max().si(), own >= 2 && own <= most ? own : most);
}

devices::ArrayAddress address_of(const Request& request, std::size_t level) {
  return {request.seed, {0, static_cast<std::uint32_t>(level), 0}};
}

std::vector<float> targets(double level_S) { return std::vector<float>(cells_per_level, static_cast<float>(level_S)); }

std::string in_uS(double g_S) { return format_quantity(g_S, Conductance::dimension); }

}  // namespace tellegen::characterize
