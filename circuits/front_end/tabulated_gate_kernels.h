#pragma once
// Inside tabulated_gate: curves as cubic pieces of equal width.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits {

/// Piece k covers low + k / per_step to low + (k + 1) / per_step: coefficients of 1, t, t^2, t^3 with t from 0 to 1. x
/// below low or above high reads as low or high.
struct CurveTable {
  float low = 0, high = 0, per_step = 1;
  std::vector<std::array<float, 4>> pieces;
};

/// Elements that add_curve takes at most at a time.
inline constexpr std::size_t curve_chunk = 256;

/// sum[i] += (gain + gain_error[i]) m curve(x[i] - shift[i]), m = 1 or x[i]. No two spans may overlap.
void add_curve(const CurveTable& table, bool times_x, float gain, std::span<const float> x,
               std::span<const float> shift, std::span<const float> gain_error, std::span<float> sum);
/// For tests: as compiled for `unit`.
void add_curve(const CurveTable& table, bool times_x, float gain, std::span<const float> x,
               std::span<const float> shift, std::span<const float> gain_error, std::span<float> sum, VectorUnit unit);

}  // namespace tellegen::circuits
