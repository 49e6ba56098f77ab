#pragma once
// exp in float for whole arrays: plain arithmetic without branches, so that compilers vectorise it and an element's
// result does not depend on where it stands.

#include <bit>
#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::models {

/// exp(x) within 2 units in the last place; x is limited to [-87, 88], so that the result is a normal number.
TELLEGEN_KERNEL float vector_exp(float x) {
  constexpr float kLog2e = 1.44269504F, kRound = 12582912.0F;  // adding 1.5 * 2^23 rounds to an integer
  constexpr float kLn2High = 0.693145752F,
                  kLn2Low = 1.42860677e-6F;  // ln 2 in two parts; the first has 15 bits, so n * it is exact
  x = x < -87.0F ? -87.0F : x;
  x = x > 88.0F ? 88.0F : x;
  const float n = (x * kLog2e + kRound) - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  // Taylor series to r^7 / 7!: |r| <= ln(2) / 2, so what is left out is below 6e-9.
  float series = 1.0F / 5040.0F;
  series = series * r + 1.0F / 720.0F;
  series = series * r + 1.0F / 120.0F;
  series = series * r + 1.0F / 24.0F;
  series = series * r + 1.0F / 6.0F;
  series = series * r + 0.5F;
  series = (series * r) * r + r;
  const float power = std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
  return series * power + power;
}

}  // namespace tellegen::models
