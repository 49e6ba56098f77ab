// Compiled with -O3 -ffp-contract=fast (CMakeLists.txt), so that the loops over lanes become vector code.
#include "tellegen/circuits/crossbar/line_kernels.h"

#include <cmath>

namespace tellegen::circuits::line_kernels {
namespace {

/// Share of the current that goes on through segment s, when Y leads away on the other side.
TELLEGEN_KERNEL double share_of(double s_S, double y_S) {
  const double some = std::isinf(s_S) ? 1.0 : s_S / (s_S + y_S);
  return s_S > 0 && !std::isinf(y_S) ? some : 0.0;
}
/// Conductance of s followed by Y.
TELLEGEN_KERNEL double series(double s_S, double y_S, double share) { return std::isinf(y_S) ? s_S : share * y_S; }
TELLEGEN_KERNEL double inverse(double y_S) { return y_S > 0 ? 1 / y_S : 0.0; }

/// One group of L chains. `g` is [nodes][g_step].
template <int L, bool uniform>
TELLEGEN_KERNEL void factor_chains(const Chains& c, const double* __restrict g, std::int64_t g_step,
                                   std::int64_t first) {
  double y[L], current[L], reach[L];
  for (int l = 0; l < L; ++l) {
    y[l] = g[l] + c.start_S[first + l];
    current[l] = g[l];
    reach[l] = 1;
  }
  double* __restrict share = c.share;
  for (std::int64_t k = 0; k + 1 < c.nodes; ++k) {
    double* __restrict out = share + k * c.step;
    const double* __restrict next = g + (k + 1) * g_step;
    for (int l = 0; l < L; ++l) {
      const double s_S = uniform ? c.segment_S : c.inner_S[(k + 1) * c.step + l];
      const double part = uniform ? s_S / (s_S + y[l]) : share_of(s_S, y[l]);
      if (!uniform) c.self_ohm[k * c.step + l] = inverse(s_S + y[l]);
      out[l] = part;
      y[l] = next[l] + (uniform ? part * y[l] : series(s_S, y[l], part));
      current[l] = next[l] + part * current[l];
      reach[l] *= part;
    }
  }
  for (int l = 0; l < L; ++l) {
    const double start_S = c.start_S[first + l];
    const double end_S = c.end_S[first + l];
    const double part = share_of(end_S, y[l]);
    c.end_ohm[first + l] = inverse(end_S + y[l]);
    c.reach[first + l] = reach[l] * part;
    c.gain_S[first + l] = current[l] * part;
    if (start_S > 0) {
      double all_S = 0;
      for (std::int64_t k = 0; k < c.nodes; ++k) all_S += g[k * g_step + l];
      c.gain_S[first + l] += start_S < all_S ? start_S : all_S;
    }
  }
}

/// Currents into the nodes become their voltages. `t` is [nodes][L].
template <int L, bool uniform>
TELLEGEN_KERNEL void solve_chains(const Chains& c, double* __restrict t, std::int64_t first) {
  const double* __restrict share = c.share;
  double x[L];
  for (int l = 0; l < L; ++l) x[l] = t[l];
  for (std::int64_t k = 1; k < c.nodes; ++k) {
    const double* __restrict f = share + (k - 1) * c.step;
    double* __restrict at = t + k * L;
    for (int l = 0; l < L; ++l) {
      x[l] = at[l] + f[l] * x[l];
      at[l] = x[l];
    }
  }
  double* __restrict end = t + (c.nodes - 1) * L;
  for (int l = 0; l < L; ++l) {
    x[l] = end[l] * c.end_ohm[first + l];
    end[l] = x[l];
  }
  const double segment_ohm = uniform ? 1 / c.segment_S : 0;
  for (std::int64_t k = c.nodes - 2; k >= 0; --k) {
    const double* __restrict f = share + k * c.step;
    double* __restrict at = t + k * L;
    for (int l = 0; l < L; ++l) {
      x[l] = uniform ? f[l] * (segment_ohm * at[l] + x[l]) : c.self_ohm[k * c.step + l] * at[l] + f[l] * x[l];
      at[l] = x[l];
    }
  }
}

/// The chains of strip or panel number `group`.
TELLEGEN_KERNEL Chains group_of(const Chains& chains, std::int64_t group, std::int64_t distance) {
  Chains c = chains;
  c.share += group * distance;
  if (c.self_ohm != nullptr) c.self_ohm += group * distance;
  if (c.inner_S != nullptr) c.inner_S += group * distance;
  return c;
}
TELLEGEN_KERNEL std::int64_t panel_distance(const Grid& grid) { return panel * (grid.columns + 1); }

template <int L>
TELLEGEN_KERNEL void solve_group(const Chains& c, double* t, std::int64_t first) {
  if (c.segment_S > 0) {
    solve_chains<L, true>(c, t, first);
  } else {
    solve_chains<L, false>(c, t, first);
  }
}

/// t[last column - j][lane] = rows[lane][j]
TELLEGEN_KERNEL void turn_in(const double* __restrict rows, std::int64_t stride, std::int64_t columns,
                             double* __restrict t) {
  double* __restrict at = t + (columns - 1) * panel;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (int l = 0; l < panel; ++l) at[l] = rows[l * stride + j];
    at -= panel;
  }
}
TELLEGEN_KERNEL void turn_out(const double* __restrict t, std::int64_t stride, std::int64_t columns,
                              double* __restrict rows) {
  const double* __restrict at = t + (columns - 1) * panel;
  for (std::int64_t j = 0; j < columns; ++j) {
    for (int l = 0; l < panel; ++l) rows[l * stride + j] = at[l];
    at -= panel;
  }
}

struct FactorColumns {
  static TELLEGEN_KERNEL void run(const Grid* grid) {
    for (std::int64_t j = 0; j < grid->columns; j += strip) {
      const Chains c = group_of(grid->column_chains, j / strip, strip);
      if (c.segment_S > 0) {
        factor_chains<strip, true>(c, grid->g_S + j, grid->stride, j);
      } else {
        factor_chains<strip, false>(c, grid->g_S + j, grid->stride, j);
      }
    }
  }
};

struct FactorRows {
  static TELLEGEN_KERNEL void run(const Grid* grid) {
    for (std::int64_t i = 0; i < grid->rows; i += panel) {
      turn_in(grid->g_S + i * grid->stride, grid->stride, grid->columns, grid->work);
      const Chains c = group_of(grid->row_chains, i / panel, panel_distance(*grid));
      if (c.segment_S > 0) {
        factor_chains<panel, true>(c, grid->work, panel, i);
      } else {
        factor_chains<panel, false>(c, grid->work, panel, i);
      }
    }
  }
};

struct SolveColumns {
  static TELLEGEN_KERNEL void run(const Grid* grid, const double* __restrict in_A, const double* __restrict x_V,
                                  double* __restrict out_V, double* __restrict r_A) {
    double* __restrict t = grid->work;
    const double* __restrict g_S = grid->g_S;
    for (std::int64_t j = 0; j < grid->columns; j += strip) {
      for (std::int64_t i = 0; i < grid->rows; ++i) {
        const std::int64_t at = i * grid->stride + j;
        double* __restrict to = t + i * strip;
        for (int l = 0; l < strip; ++l) to[l] = g_S[at + l] * x_V[at + l] + (in_A != nullptr ? in_A[at + l] : 0.0);
      }
      solve_group<strip>(group_of(grid->column_chains, j / strip, strip), t, j);
      for (std::int64_t i = 0; i < grid->rows; ++i) {
        const std::int64_t at = i * grid->stride + j;
        const double* __restrict from = t + i * strip;
        for (int l = 0; l < strip; ++l) out_V[at + l] = from[l];
        if (r_A == nullptr) continue;
        for (int l = 0; l < strip; ++l) r_A[at + l] = g_S[at + l] * from[l];
      }
    }
  }
};

/// First step: p = z, ap = r, whatever they were.
template <bool first_step>
struct Apply {
  static TELLEGEN_KERNEL double run(const Grid* grid, const Iterates* v, double beta) {
    double* __restrict t = grid->work;
    const double* __restrict g_S = grid->g_S;
    const double* __restrict z = v->z_V;
    const double* __restrict r = v->r_A;
    double* __restrict p = v->p_V;
    double* __restrict ap = v->ap_A;
    double* __restrict sp = v->sp_A;
    double sum[strip] = {};
    for (std::int64_t j = 0; j < grid->columns; j += strip) {
      for (std::int64_t i = 0; i < grid->rows; ++i) {
        const std::int64_t at = i * grid->stride + j;
        double* __restrict to = t + i * strip;
        for (int l = 0; l < strip; ++l) {
          const double direction = first_step ? z[at + l] : z[at + l] + beta * p[at + l];
          p[at + l] = direction;
          ap[at + l] = first_step ? r[at + l] : r[at + l] + beta * ap[at + l];
          to[l] = g_S[at + l] * direction;
        }
      }
      solve_group<strip>(group_of(grid->column_chains, j / strip, strip), t, j);
      for (std::int64_t i = 0; i < grid->rows; ++i) {
        const std::int64_t at = i * grid->stride + j;
        const double* __restrict from = t + i * strip;
        for (int l = 0; l < strip; ++l) {
          const double product = ap[at + l] - g_S[at + l] * from[l];
          sp[at + l] = product;
          sum[l] += p[at + l] * product;
        }
      }
    }
    double total = 0;
    for (int l = 0; l < strip; ++l) total += sum[l];
    return total;
  }
};

struct SolveRows {
  static TELLEGEN_KERNEL void run(const Grid* grid, const Iterates* v, double alpha, RowResult* result) {
    double* __restrict t = grid->work;
    double sum[strip] = {};
    double largest[strip] = {};
    const std::int64_t size = panel * grid->stride;
    for (std::int64_t i = 0; i < grid->rows; i += panel) {
      const std::int64_t start = i * grid->stride;
      double* __restrict r = v->r_A + start;
      double* __restrict z = v->z_V + start;
      if (alpha != 0) {
        double* __restrict x = v->x_V + start;
        const double* __restrict p = v->p_V + start;
        const double* __restrict sp = v->sp_A + start;
        for (std::int64_t k = 0; k < size; ++k) {
          x[k] += alpha * p[k];
          r[k] -= alpha * sp[k];
        }
      }
      turn_in(r, grid->stride, grid->columns, t);
      solve_group<panel>(group_of(grid->row_chains, i / panel, panel_distance(*grid)), t, i);
      turn_out(t, grid->stride, grid->columns, z);
      for (std::int64_t k = 0; k < size; k += strip) {
        for (int l = 0; l < strip; ++l) {
          sum[l] += r[k + l] * z[k + l];
          const double size_V = std::fabs(z[k + l]);
          largest[l] = size_V > largest[l] ? size_V : largest[l];
        }
      }
    }
    for (int l = 0; l < strip; ++l) {
      result->r_dot_z += sum[l];
      result->largest_z_V = largest[l] > result->largest_z_V ? largest[l] : result->largest_z_V;
    }
  }
};

/// Terminals are at 0 V: x is a correction. Across a wire without resistance there is no drop, and what flows there is
/// of no account: only the sum over the merged node matters.
TELLEGEN_KERNEL double wire_current(double s_S, double from_V, double to_V) {
  return std::isinf(s_S) ? 0.0 : s_S * (from_V - to_V);
}

struct Residual {
  static TELLEGEN_KERNEL void run(const Grid* grid, const double* row_S, const double* left_A, const double* column_V,
                                  const Iterates* v) {
    const std::int64_t columns = grid->columns;
    const double inner_S = grid->row_chains.segment_S;
    for (std::int64_t i = 0; i < grid->rows; ++i) {
      const std::int64_t start = i * grid->stride;
      const double* __restrict x = v->x_V + start;
      const double* __restrict b = column_V + start;
      const double* __restrict g = grid->g_S + start;
      const double* __restrict left = left_A + start;
      const double* __restrict s = row_S + i * (columns + 1);
      double* __restrict r = v->r_A + start;
      for (std::int64_t j = 0; j < columns; ++j) r[j] = left[j] + g[j] * (b[j] - x[j]);
      if (inner_S > 0) {
        for (std::int64_t j = 1; j + 1 < columns; ++j) r[j] += inner_S * ((x[j - 1] - x[j]) - (x[j] - x[j + 1]));
      } else {
        for (std::int64_t j = 1; j + 1 < columns; ++j) {
          r[j] += wire_current(s[j], x[j - 1], x[j]) - wire_current(s[j + 1], x[j], x[j + 1]);
        }
      }
      const std::int64_t last = columns - 1;
      r[0] += wire_current(s[0], 0, x[0]);
      r[last] += wire_current(s[columns], 0, x[last]);
      if (columns > 1) {
        r[0] -= wire_current(s[1], x[0], x[1]);
        r[last] += wire_current(s[last], x[last - 1], x[last]);
      }
    }
  }
};

}  // namespace

void factor_columns(VectorUnit unit, const Grid& grid) { run_kernel<FactorColumns>(unit, &grid); }
void factor_rows(VectorUnit unit, const Grid& grid) { run_kernel<FactorRows>(unit, &grid); }

void solve_columns(VectorUnit unit, const Grid& grid, const double* in_A, const double* x_V, double* out_V,
                   double* r_A) {
  run_kernel<SolveColumns>(unit, &grid, in_A, x_V, out_V, r_A);
}

double apply(VectorUnit unit, const Grid& grid, const Iterates& v, double beta) {
  return beta == 0 ? run_kernel<Apply<true>>(unit, &grid, &v, beta) : run_kernel<Apply<false>>(unit, &grid, &v, beta);
}

RowResult solve_rows(VectorUnit unit, const Grid& grid, const Iterates& v, double alpha) {
  RowResult result;
  run_kernel<SolveRows>(unit, &grid, &v, alpha, &result);
  return result;
}

void residual(VectorUnit unit, const Grid& grid, const double* row_S, const double* left_A, const double* column_V,
              const Iterates& v) {
  run_kernel<Residual>(unit, &grid, row_S, left_A, column_V, &v);
}

}  // namespace tellegen::circuits::line_kernels
