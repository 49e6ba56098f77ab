#include "tellegen/circuits/crossbar/read_waveform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

void check_pulse_widths(std::span<const double> amplitude_V, std::span<const double> width_s) {
  if (amplitude_V.size() != width_s.size()) {
    throw InputError(fmt::format("Pulse widths are given for '{}' rows; one for each of the {} amplitudes is needed.",
                                 width_s.size(), amplitude_V.size()));
  }
  for (std::size_t i = 0; i < width_s.size(); ++i) {
    if (!(width_s[i] >= 0) || std::isinf(width_s[i])) {
      throw InputError(
          fmt::format("The pulse width of row {} is '{} s'; a finite time of 0 s or more is needed.", i, width_s[i]));
    }
  }
}

std::vector<VoltageStep> pulse_widths(std::span<const double> amplitude_V, std::span<const double> width_s) {
  check_pulse_widths(amplitude_V, width_s);
  std::vector<VoltageStep> out;
  for (std::size_t i = 0; i < width_s.size(); ++i) {
    if (width_s[i] == 0) continue;
    out.push_back({0, static_cast<std::int64_t>(i), amplitude_V[i]});
    out.push_back({width_s[i], static_cast<std::int64_t>(i), 0});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const VoltageStep& a, const VoltageStep& b) { return a.time_s < b.time_s; });
  return out;
}

std::vector<VoltageStep> bit_serial(std::span<const std::int64_t> code, int bits, double amplitude_V, double period_s) {
  if (bits < 1 || bits > 32) throw InputError(fmt::format("The inputs have '{}' bits; 1 to 32 are possible.", bits));
  if (!(period_s > 0) || std::isinf(period_s)) {
    throw InputError(fmt::format("The time per bit is '{} s'; a finite time above 0 s is needed.", period_s));
  }
  const std::int64_t largest = (std::int64_t{1} << bits) - 1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] < 0 || code[i] > largest) {
      throw InputError(
          fmt::format("The code of row {} is '{}'; {} bits hold codes 0 to {}.", i, code[i], bits, largest));
    }
  }
  std::vector<VoltageStep> out;
  for (int k = 0; k <= bits; ++k) {
    for (std::size_t i = 0; i < code.size(); ++i) {
      const std::int64_t bit = k < bits ? code[i] >> k & 1 : 0;
      const std::int64_t last = k > 0 ? code[i] >> (k - 1) & 1 : 0;
      if (bit != last) {
        out.push_back({k * period_s, static_cast<std::int64_t>(i), bit != 0 ? amplitude_V : 0});
      }
    }
  }
  return out;
}

std::vector<double> shift_and_add(std::span<const double> charges, int bits) {
  TELLEGEN_ASSERT(bits > 0 && charges.size() % static_cast<std::size_t>(bits) == 0);
  const std::size_t columns = charges.size() / static_cast<std::size_t>(bits);
  std::vector<double> out(columns);
  for (std::size_t k = 0; k < charges.size(); ++k) {
    out[k % columns] += std::ldexp(charges[k], static_cast<int>(k / columns));
  }
  return out;
}

}  // namespace tellegen::circuits
