#include "tellegen/devices/random_telegraph.h"

#include <array>
#include <numbers>

#include "tellegen/devices/array_kernel.h"

namespace tellegen::devices {

double RandomTelegraph::spectrum_S2_per_Hz(double step_S, double f_Hz) const {
  const double rate_per_s = 1 / relaxation_s();
  const double omega_per_s = 2 * std::numbers::pi * f_Hz;
  return 4 * step_S * step_S / ((capture_s + emission_s) * (rate_per_s * rate_per_s + omega_per_s * omega_per_s));
}

void advance_traps(const RandomTelegraph& trap, double t_s, const Stream& stream, std::uint64_t first,
                   std::span<std::uint8_t> filled) {
  const float fills = static_cast<float>(trap.fills_within(t_s));
  const float empties = static_cast<float>(trap.empties_within(t_s));
  std::array<float, block_cells> uniform;
  for_each_block(filled.size(), [&](std::size_t from, std::size_t count) {
    stream.uniforms(first + from, std::span(uniform).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      std::uint8_t& state = filled[from + i];
      const bool changes = uniform[i] < (state != 0 ? empties : fills);
      state = static_cast<std::uint8_t>(changes ? 1 - state : state);
    }
  });
}

}  // namespace tellegen::devices
