#pragma once
// Poles, bandwidth and settling of a threshold gate.

#include <vector>

#include "tellegen/circuits/front_end/gate_design.h"

namespace tellegen::circuits {

/// Two real poles in a row, as time constants; either may be 0.
struct TwoPoles {
  double first_s = 0, second_s = 0;
  /// -3 dB.
  double bandwidth_Hz() const;
  /// Of white noise: 1 / (4 (first + second)).
  double noise_bandwidth_Hz() const { return 1 / (4 * (first_s + second_s)); }
  /// Until a step is within 2^-(bits + 1) of its end: half a step of `bits`.
  double settling_s(int bits) const;
};

/// Loads of the slowest pair, at the tail that flows at its threshold: its common source, and where outputs are mirrored
/// the input of the mirror.
std::vector<Load> gate_loads(const ThresholdDesign& design);

enum class Corner { low, typical, high };
/// Poles with the loads at their low, typical or high values.
TwoPoles gate_poles(const std::vector<Load>& loads, Corner corner);

}  // namespace tellegen::circuits
