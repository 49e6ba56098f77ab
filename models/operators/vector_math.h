#pragma once
// Functions of one number in float for whole arrays, like vector_exp: both sides of a case are computed and one is
// chosen, so that compilers vectorise. Polynomials are least-maximum fits made for this file.

#include <cmath>

#include "tellegen/models/operators/vector_exp.h"

namespace tellegen::models {

TELLEGEN_KERNEL float vector_sigmoid(float x) { return 1.0F / (1.0F + vector_exp(-x)); }

/// tanh(x) within 2 units in the last place.
TELLEGEN_KERNEL float vector_tanh(float x) {
  const float magnitude = std::abs(x), z = x * x;
  // Below 0.625: x + x^3 P(x^2); above: the exponential, where nothing cancels.
  float series = -0.00566078047F;
  series = series * z + 0.0206019992F;
  series = series * z - 0.053729227F;
  series = series * z + 0.133313289F;
  series = series * z - 0.333332783F;
  const float near = x + x * (z * series);
  const float far = std::copysign(1.0F - 2.0F / (vector_exp(2.0F * magnitude) + 1.0F), x);
  return magnitude < 0.625F ? near : far;
}

/// erfc(x) for x >= 0.95, within 1e-7 of 1.
TELLEGEN_KERNEL float vector_erfc_far(float x) {
  const float t = 1.0F / (1.0F + 0.5F * x);
  float series = 0.012672911F;
  series = series * t - 0.274688671F;
  series = series * t + 0.699822117F;
  series = series * t - 0.11276628F;
  series = series * t + 0.417525335F;
  series = series * t + 0.254974151F;
  series = series * t + 0.00227017653F;
  return series * vector_exp(-x * x);
}

/// erf(x) for |x| <= 1.
TELLEGEN_KERNEL float vector_erf_near(float x) {
  const float z = x * x;
  float series = 7.88911372e-05F;
  series = series * z - 0.000802083954F;
  series = series * z + 0.00518953514F;
  series = series * z - 0.0268544445F;
  series = series * z + 0.112836002F;
  series = series * z - 0.376126271F;
  series = series * z + 1.12837917F;
  return x * series;
}

/// erf(x) within 2e-7.
TELLEGEN_KERNEL float vector_erf(float x) {
  const float magnitude = std::abs(x);
  const float far = std::copysign(1.0F - vector_erfc_far(magnitude), x);
  return magnitude < 1.0F ? vector_erf_near(x) : far;
}

/// The normal distribution function within 2 units in the last place of 1; small tails do not cancel.
TELLEGEN_KERNEL float vector_normal_cdf(float x) {
  constexpr float kRootHalf = 0.707106781F;
  const float u = x * kRootHalf, magnitude = std::abs(u), tail = 0.5F * vector_erfc_far(magnitude);
  const float far = x < 0 ? tail : 1.0F - tail;
  return magnitude < 1.0F ? 0.5F + 0.5F * vector_erf_near(u) : far;
}

}  // namespace tellegen::models
