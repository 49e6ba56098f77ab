// Compiled with -O3 -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that the loops become vector code.
#include "tellegen/circuits/converter/converter_kernels.h"

#include <algorithm>
#include <type_traits>

namespace tellegen::circuits::kernels {
namespace {

/// Adding and taking off 1.5 * 2^(mantissa bits) rounds to a whole number, ties to even, on every vector unit.
/// Right for |x| < 2^22 (float): codes have at most 16 bits.
template <class T>
TELLEGEN_KERNEL T round_even(T x) {
  constexpr T magic = std::is_same_v<T, float> ? T(0x1.8p23) : T(0x1.8p52);
  return (x + magic) - magic;
}

struct Nearest {
  template <class T>
  static TELLEGEN_KERNEL T code(T position, T) {
    return round_even(position);
  }
};

struct Cell {
  template <class T>
  static TELLEGEN_KERNEL T code(T position, T last_code) {
    const T rounded = round_even(position);
    const T floor = rounded > position ? rounded - T(1) : rounded;
    return floor < last_code ? floor : last_code;
  }
};

/// Values per chunk, so that the counter of one vector lane (an integer as wide as T) cannot overflow.
constexpr std::int64_t chunk = std::int64_t{1} << 20;

template <class Rounding, class T>
struct Quantise {
  using Counter = std::conditional_t<std::is_same_v<T, float>, std::int32_t, std::int64_t>;
  static TELLEGEN_KERNEL std::int64_t run(Grid<T> g, T* __restrict values, std::int64_t count) {
    std::int64_t clipped = 0;
    for (std::int64_t first = 0; first < count; first += chunk) {
      const std::int64_t last = std::min(count, first + chunk);
      Counter outside = 0;
      for (std::int64_t i = first; i < last; ++i) {
        const T x = values[i];
        const T below = x < g.high ? x : g.high;
        const T saturated = below > g.low ? below : g.low;
        outside += saturated == x ? 0 : 1;
        values[i] = g.zero_value + Rounding::code((saturated - g.origin) * g.codes_per_unit, g.last_code) * g.step;
      }
      clipped += outside;
    }
    return clipped;
  }
};

template <class T>
struct Digits {
  static TELLEGEN_KERNEL void run(const T* __restrict codes, std::int64_t count, int shift, int bits,
                                  T* __restrict drive) {
    const std::int32_t mask = (1 << bits) - 1;
    const T full = static_cast<T>(mask);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto code = static_cast<std::int32_t>(codes[i]);
      const std::int32_t magnitude = code < 0 ? -code : code;
      const std::int32_t digit = (magnitude >> shift) & mask;
      drive[i] = static_cast<T>(code < 0 ? -digit : digit) / full;
    }
  }
};

template <class T>
struct Divide {
  static TELLEGEN_KERNEL void run(T divisor, std::int64_t count, T* __restrict values) {
    for (std::int64_t i = 0; i < count; ++i) values[i] /= divisor;
  }
};

template <class T>
struct AddScaled {
  static TELLEGEN_KERNEL void run(T sigma, const float* __restrict normals, std::int64_t count, T* __restrict values) {
    for (std::int64_t i = 0; i < count; ++i) values[i] += sigma * static_cast<T>(normals[i]);
  }
};

TELLEGEN_KERNEL float root(float x) { return __builtin_sqrtf(x); }
TELLEGEN_KERNEL double root(double x) { return __builtin_sqrt(x); }

template <class T>
struct AddNoise {
  static TELLEGEN_KERNEL void run(const T* means, const T* __restrict variance, const float* __restrict normals,
                                  std::int64_t count, T* values) {
    for (std::int64_t i = 0; i < count; ++i) values[i] = means[i] + root(variance[i]) * static_cast<T>(normals[i]);
  }
};

template <class T>
struct TakeShared {
  static TELLEGEN_KERNEL void run(const T* __restrict products, std::int64_t lines, std::int64_t count,
                                  T* __restrict values, T* __restrict variance) {
    for (std::int64_t r = 0; r < count; ++r) {
      for (std::int64_t j = 0; j < lines; ++j) {
        values[j] = products[j];
        const T shared = products[lines + j];
        const T left = variance[j] - shared * shared;
        variance[j] = left > T(0) ? left : T(0);
      }
      products += 2 * lines;
      values += lines;
      variance += lines;
    }
  }
};

template <class T>
struct Square {
  static TELLEGEN_KERNEL void run(const T* __restrict values, std::int64_t count, T* __restrict squares) {
    for (std::int64_t i = 0; i < count; ++i) squares[i] = values[i] * values[i];
  }
};

}  // namespace

template <class T>
std::int64_t to_levels(VectorUnit unit, const Grid<T>& grid, T* values, std::int64_t count) {
  return run_kernel<Quantise<Nearest, T>>(unit, grid, values, count);
}

template <class T>
std::int64_t to_cells(VectorUnit unit, const Grid<T>& grid, T* values, std::int64_t count) {
  return run_kernel<Quantise<Cell, T>>(unit, grid, values, count);
}

template <class T>
void digits(VectorUnit unit, const T* codes, std::int64_t count, int shift, int bits, T* drive) {
  run_kernel<Digits<T>>(unit, codes, count, shift, bits, drive);
}

template <class T>
void divide(VectorUnit unit, T divisor, std::int64_t count, T* values) {
  run_kernel<Divide<T>>(unit, divisor, count, values);
}

template <class T>
void add_scaled(VectorUnit unit, T sigma, const float* normals, std::int64_t count, T* values) {
  run_kernel<AddScaled<T>>(unit, sigma, normals, count, values);
}

template <class T>
void add_noise(VectorUnit unit, const T* means, const T* variance, const float* normals, std::int64_t count,
               T* values) {
  run_kernel<AddNoise<T>>(unit, means, variance, normals, count, values);
}

template <class T>
void take_shared(VectorUnit unit, const T* products, std::int64_t lines, std::int64_t count, T* values, T* variance) {
  run_kernel<TakeShared<T>>(unit, products, lines, count, values, variance);
}

template <class T>
void square(VectorUnit unit, const T* values, std::int64_t count, T* squares) {
  run_kernel<Square<T>>(unit, values, count, squares);
}

#define TELLEGEN_INSTANTIATE(T)                                                            \
  template std::int64_t to_levels(VectorUnit, const Grid<T>&, T*, std::int64_t);           \
  template std::int64_t to_cells(VectorUnit, const Grid<T>&, T*, std::int64_t);            \
  template void digits(VectorUnit, const T*, std::int64_t, int, int, T*);                  \
  template void divide(VectorUnit, T, std::int64_t, T*);                                   \
  template void add_scaled(VectorUnit, T, const float*, std::int64_t, T*);                 \
  template void add_noise(VectorUnit, const T*, const T*, const float*, std::int64_t, T*); \
  template void take_shared(VectorUnit, const T*, std::int64_t, std::int64_t, T*, T*);     \
  template void square(VectorUnit, const T*, std::int64_t, T*)
TELLEGEN_INSTANTIATE(float);
TELLEGEN_INSTANTIATE(double);

}  // namespace tellegen::circuits::kernels
