#pragma once
// Inside sim/characterize: many cells at each of some levels of a conductance device.

#include <cstddef>
#include <string>
#include <vector>

#include "tellegen/devices/conductance_device.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {

inline constexpr std::size_t cells_per_level = 4000;

struct Spread {
  double mean = 0, sigma = 0, low = 0, high = 0;  ///< low, high: 5 % and 95 % quantile
};
Spread spread_of(std::vector<float> values);

/// Levels from g_min to g_max: those of the device where they are few.
std::vector<double> levels_of(const devices::ConductanceDevice& device, std::size_t most);
devices::ArrayAddress address_of(const Request& request, std::size_t level);
std::vector<float> targets(double level_S);
std::string in_uS(double g_S);

}  // namespace tellegen::characterize
