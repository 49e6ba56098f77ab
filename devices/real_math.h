#pragma once
// Elementary functions for formulas that are written once and used twice: in double as the reference (the standard
// library), and in float inside kernels over whole arrays, free of branches and calls so that the compiler vectorises
// the loop.

#include <bit>
#include <cmath>
#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::devices {

TELLEGEN_KERNEL double ln(double x) { return std::log(x); }
TELLEGEN_KERNEL double exponential(double x) { return std::exp(x); }

/// Natural logarithm of a positive normal number, within 2 units in the last place.
TELLEGEN_KERNEL float ln(float x) {
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)): the offset moves the cut of the binades from 1 to sqrt(1/2).
  constexpr std::uint32_t sqrt_half_bits = 0x3f3504f3u;
  constexpr std::uint32_t one_bits = 0x3f800000u;
  const std::uint32_t shifted = std::bit_cast<std::uint32_t>(x) + (one_bits - sqrt_half_bits);
  const float e = static_cast<float>(static_cast<std::int32_t>(shifted >> 23) - 127);
  const float m = std::bit_cast<float>((shifted & 0x007fffffu) + sqrt_half_bits);
  // ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172: the series after s^9 is below 2e-9 of the sum.
  const float s = (m - 1.0f) / (m + 1.0f);
  const float s2 = s * s;
  const float tail = s2 * (1.0f / 3 + s2 * (1.0f / 5 + s2 * (1.0f / 7 + s2 * (1.0f / 9))));
  constexpr float ln2_high = 0x1.62ep-1f;  // 13 bits: e * ln2_high is exact
  constexpr float ln2_low = 0x1.0bfbe8p-15f;
  return e * ln2_high + (2.0f * s + (2.0f * s * tail + e * ln2_low));
}

/// e^x, within 2 units in the last place; x is clamped to -87 .. 88, and exponential(0) is exactly 1.
TELLEGEN_KERNEL float exponential(float x) {
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  // Adding 1.5 * 2^23 rounds to the nearest integer without a call.
  constexpr float round_to_integer = 12582912.0f;
  const float n = (x * 1.44269504f + round_to_integer) - round_to_integer;
  constexpr float ln2_high = 0x1.62ep-1f;
  constexpr float ln2_low = 0x1.0bfbe8p-15f;
  const float r = (x - n * ln2_high) - n * ln2_low;
  // |r| <= ln(2) / 2: fitted for the least relative error, which is 3e-9; the first two terms are exact. In pairs, so
  // that a processor works on several products at a time.
  const float r2 = r * r;
  const float fourth = (0.041668389f + r * 0.00836874545f) + r2 * 0.00138145417f;
  const float p = 1.0f + (r + r2 * ((0.49999994f + r * 0.166665211f) + r2 * fourth));
  const std::uint32_t scale = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23;
  return p * std::bit_cast<float>(scale);
}

/// As std::clamp, by value and without references, so that loops vectorise.
template <class Real>
TELLEGEN_KERNEL Real clamped(Real x, Real low, Real high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

}  // namespace tellegen::devices
