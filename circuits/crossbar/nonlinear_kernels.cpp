// Compiled with -O3 -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that the loops become vector code.
#include "tellegen/circuits/crossbar/nonlinear_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tellegen::circuits::nonlinear_kernels {
namespace {

/// e^x for 0 <= x <= 709; infinity beyond.
TELLEGEN_KERNEL double exponential(double x) {
  constexpr double highest = 709;
  const double clamped = x < highest ? x : highest;
  // Adding 1.5 * 2^52 rounds to a whole number, whose bits are then the low bits of the sum.
  constexpr double magic = 0x1.8p52;
  constexpr double log2_e = 0x1.71547652b82fep0;
  constexpr double ln2_high = 0x1.62e42fee00000p-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  const double shifted = clamped * log2_e + magic;
  const double n = shifted - magic;
  const double r = (clamped - n * ln2_high) - n * ln2_low;
  // |r| <= ln(2) / 2: the Taylor series after r^13 is below 1e-17.
  double p = 1.0 / 6227020800;
  p = 1.0 / 479001600 + r * p;
  p = 1.0 / 39916800 + r * p;
  p = 1.0 / 3628800 + r * p;
  p = 1.0 / 362880 + r * p;
  p = 1.0 / 40320 + r * p;
  p = 1.0 / 5040 + r * p;
  p = 1.0 / 720 + r * p;
  p = 1.0 / 120 + r * p;
  p = 1.0 / 24 + r * p;
  p = 1.0 / 6 + r * p;
  p = 0.5 + r * p;
  p = 1 + r * (1 + r * p);
  // n + 1022 fits the exponent for n up to 1023; the missing factor 2 comes after.
  const std::int64_t exponent = (std::bit_cast<std::int64_t>(shifted) + 1022) << 52;
  const double value = 2 * (p * std::bit_cast<double>(exponent));
  return x <= highest ? value : HUGE_VAL;
}

/// sinh(u) / u for |u| <= 1: the Taylor series after u^18 is below 1e-17.
TELLEGEN_KERNEL double small_sinh_ratio(double u2) {
  double p = 1.0 / 6402373705728000 / 19;
  p = 1.0 / 355687428096000 + u2 * p;
  p = 1.0 / 1307674368000 + u2 * p;
  p = 1.0 / 6227020800 + u2 * p;
  p = 1.0 / 39916800 + u2 * p;
  p = 1.0 / 362880 + u2 * p;
  p = 1.0 / 5040 + u2 * p;
  p = 1.0 / 120 + u2 * p;
  p = 1.0 / 6 + u2 * p;
  return 1 + u2 * p;
}

struct SinhCells {
  static TELLEGEN_KERNEL void run(std::int64_t count, double v0_V, const double* __restrict g_S,
                                  const double* __restrict drop_V, double* __restrict current_A,
                                  double* __restrict slope_S) {
    for (std::int64_t k = 0; k < count; ++k) {
      const double u = drop_V[k] / v0_V;
      const double size = std::fabs(u);
      const double e = exponential(size);
      const double inverse = 1 / e;
      const double large = std::copysign(0.5 * (e - inverse), u);
      const double small = u * small_sinh_ratio(u * u);
      current_A[k] = g_S[k] * v0_V * (size < 1 ? small : large);
      slope_S[k] = g_S[k] * (0.5 * (e + inverse));
    }
  }
};

/// Across a wire without resistance there is no drop, and what flows there is of no account: only the sum over the
/// merged node matters.
TELLEGEN_KERNEL double wire_current(double s_S, double from_V, double to_V) {
  return std::isinf(s_S) ? 0.0 : s_S * (from_V - to_V);
}

struct Residuals {
  static TELLEGEN_KERNEL void run(const Nodes* nodes, double* row_A, double* column_A) {
    const std::int64_t columns = nodes->columns;
    for (std::int64_t i = 0; i < nodes->rows; ++i) {
      const double* __restrict w = nodes->w_V + i * nodes->stride;
      const double* __restrict cell = nodes->cell_A + i * nodes->stride;
      const double* __restrict s = nodes->row_S + i * (columns + 1);
      double* __restrict out = row_A + i * nodes->stride;
      for (std::int64_t j = 0; j < columns; ++j) out[j] = -cell[j];
      for (std::int64_t j = 1; j < columns; ++j) out[j] += wire_current(s[j], w[j - 1], w[j]);
      for (std::int64_t j = 0; j + 1 < columns; ++j) out[j] -= wire_current(s[j + 1], w[j], w[j + 1]);
      out[0] += wire_current(s[0], 0, w[0]);
      out[columns - 1] += wire_current(s[columns], 0, w[columns - 1]);
    }
    for (std::int64_t i = 0; i < nodes->rows; ++i) {
      const double* __restrict b = nodes->b_V + i * nodes->stride;
      const double* __restrict above = b - nodes->stride;
      const double* __restrict below = b + nodes->stride;
      const double* __restrict cell = nodes->cell_A + i * nodes->stride;
      const double* __restrict s_above = nodes->column_S + i * columns;
      const double* __restrict s_below = s_above + columns;
      double* __restrict out = column_A + i * nodes->stride;
      const bool first = i == 0;
      const bool last = i + 1 == nodes->rows;
      for (std::int64_t j = 0; j < columns; ++j) out[j] = cell[j];
      for (std::int64_t j = 0; j < columns; ++j) out[j] += wire_current(s_above[j], first ? 0.0 : above[j], b[j]);
      for (std::int64_t j = 0; j < columns; ++j) out[j] -= wire_current(s_below[j], b[j], last ? 0.0 : below[j]);
    }
  }
};

struct SumColumns {
  static TELLEGEN_KERNEL void run(const Nodes* nodes, const double* column_A, double* __restrict cell_sum_A,
                                  double* __restrict residual_sum_A) {
    for (std::int64_t j = 0; j < nodes->columns; ++j) cell_sum_A[j] = residual_sum_A[j] = 0;
    for (std::int64_t i = 0; i < nodes->rows; ++i) {
      const double* __restrict cell = nodes->cell_A + i * nodes->stride;
      const double* __restrict residual = column_A + i * nodes->stride;
      for (std::int64_t j = 0; j < nodes->columns; ++j) {
        cell_sum_A[j] += cell[j];
        residual_sum_A[j] += std::fabs(residual[j]);
      }
    }
  }
};

struct TwoProducts {
  static TELLEGEN_KERNEL double run(std::int64_t count, const double* __restrict a, const double* __restrict b,
                                    const double* __restrict c, const double* __restrict d) {
    constexpr int lanes = 32;
    double sum[lanes] = {};
    for (std::int64_t k = 0; k < count; k += lanes) {
      for (int l = 0; l < lanes; ++l) sum[l] += a[k + l] * b[k + l] + c[k + l] * d[k + l];
    }
    double total = 0;
    for (int l = 0; l < lanes; ++l) total += sum[l];
    return total;
  }
};

}  // namespace

void sinh_cells(VectorUnit unit, std::int64_t count, double v0_V, const double* g_S, const double* drop_V,
                double* current_A, double* slope_S) {
  run_kernel<SinhCells>(unit, count, v0_V, g_S, drop_V, current_A, slope_S);
}

void residuals(VectorUnit unit, const Nodes& nodes, double* row_A, double* column_A) {
  run_kernel<Residuals>(unit, &nodes, row_A, column_A);
}

void sum_columns(VectorUnit unit, const Nodes& nodes, const double* column_A, double* cell_sum_A,
                 double* residual_sum_A) {
  run_kernel<SumColumns>(unit, &nodes, column_A, cell_sum_A, residual_sum_A);
}

double two_products(VectorUnit unit, std::int64_t count, const double* a, const double* b, const double* c,
                    const double* d) {
  return run_kernel<TwoProducts>(unit, count, a, b, c, d);
}

}  // namespace tellegen::circuits::nonlinear_kernels
