#pragma once
// The inner loops of the converters, once per vector unit and type (float, double). Same bits from every unit.

#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits::kernels {

/// x is saturated to [low, high]; its position (x - origin) * codes_per_unit is rounded to a code c; the value is
/// zero_value + c * step.
template <class T>
struct Grid {
  T low, high, origin, codes_per_unit, step, zero_value, last_code;
};

/// Rounds to the nearest code, ties to even. Returns how many values were outside [low, high].
template <class T>
std::int64_t to_levels(VectorUnit unit, const Grid<T>& grid, T* values, std::int64_t count);
/// Rounds down to the code of the cell, at most last_code. Returns how many values were outside.
template <class T>
std::int64_t to_cells(VectorUnit unit, const Grid<T>& grid, T* values, std::int64_t count);

/// drive = sign(code) * digit / (2^bits - 1), digit = bits `shift` .. `shift + bits - 1` of the magnitude of the code.
template <class T>
void digits(VectorUnit unit, const T* codes, std::int64_t count, int shift, int bits, T* drive);

/// values /= divisor.
template <class T>
void divide(VectorUnit unit, T divisor, std::int64_t count, T* values);

/// values += sigma * normals.
template <class T>
void add_scaled(VectorUnit unit, T sigma, const float* normals, std::int64_t count, T* values);
/// values = means + sqrt(variance) * normals; means may be values.
template <class T>
void add_noise(VectorUnit unit, const T* means, const T* variance, const float* normals, std::int64_t count, T* values);
/// `products` [count][2][lines]: currents, and what is taken from their variances squared. values = currents; variance
/// becomes variance - shared^2, 0 where that falls below 0. Both [count][lines].
template <class T>
void take_shared(VectorUnit unit, const T* products, std::int64_t lines, std::int64_t count, T* values, T* variance);
/// squares = values^2.
template <class T>
void square(VectorUnit unit, const T* values, std::int64_t count, T* squares);

}  // namespace tellegen::circuits::kernels
