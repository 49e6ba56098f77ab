#pragma once
// Inside tabulated_gate: cubic interpolation in tables of equal steps.

#include <cstddef>
#include <span>
#include <vector>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits {

/// values[k] belongs to x = low + (k - 1) step: one sample beyond each end, for the cubic.
struct CurveTable {
  float low = 0, high = 0, per_step = 1;  ///< x below low or above high reads as low or high
  std::vector<float> values;
};

/// sum[i] += (gain + gain_error[i]) m curve(x[i] - shift[i]), m = 1 or x[i].
void add_curve(const CurveTable& table, bool times_x, float gain, std::span<const float> x,
               std::span<const float> shift, std::span<const float> gain_error, std::span<float> sum);
/// For tests: as compiled for `unit`.
void add_curve(const CurveTable& table, bool times_x, float gain, std::span<const float> x,
               std::span<const float> shift, std::span<const float> gain_error, std::span<float> sum, VectorUnit unit);

}  // namespace tellegen::circuits
