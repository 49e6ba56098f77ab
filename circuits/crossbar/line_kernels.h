#pragma once
// Kernels of the line solver. A wire with the cells on it is a chain: a tridiagonal system, solved by eliminating node
// after node toward one end. Chains are solved side by side in vector lanes: columns as they lie in memory, rows in
// panels that are turned by 90 degrees on the way.
//
// Elimination keeps, for node k, the share of an injected current that passes on to node k + 1: share = s / (s + Y),
// with s the segment between them and Y the conductance seen from node k away from it, Y_k+1 = g_k+1 + share_k Y_k.
// Only sums, products and quotients of positive numbers: no digit is lost however strong the wire, and a segment of
// zero resistance (share 1) or a broken one (share 0) needs no special case in the solves.

#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits::line_kernels {

/// Columns of one strip and rows of one panel.
inline constexpr int strip = 32;
inline constexpr int panel = 8;

/// Chains that all have `nodes` nodes. Values of node k are at [k * step + chain]. Segment k joins nodes k - 1 and k;
/// segments 0 and `nodes` end at terminals. In arrays of inner segments, segment k is at [k * step + chain].
struct Chains {
  std::int64_t nodes = 0;
  std::int64_t step = 0;
  double segment_S = 0;       ///< of all inner segments; 0: they differ, see inner_S
  double* inner_S = nullptr;  ///< only where they differ
  double* start_S = nullptr;  ///< segment 0, [chains]
  double* end_S = nullptr;    ///< segment `nodes`, [chains]
  double* share = nullptr;    ///< [nodes][step]
  double* self_ohm =
      nullptr;  ///< volts of node k per ampere into it while node k + 1 is at 0 V; only where segments differ
  double* end_ohm = nullptr;  ///< the same of the last node, [chains]
  double* reach =
      nullptr;  ///< lowest voltage on the chain with its end terminal at 1 V, no current from cells, [chains]
  double* gain_S = nullptr;  ///< current into both terminals with all cells at 1 V, not more than that, [chains]
};

/// Padded arrays of the crossbar, [rows up to whole panels][stride]; zero beyond rows and columns.
struct Grid {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t stride = 0;
  const double* g_S = nullptr;
  Chains row_chains;       ///< panels of `panel` chains one after the other; node 0 is the last column
  Chains column_chains;    ///< strips of `strip` chains; node 0 is the first row
  double* work = nullptr;  ///< strip * rows + 2 * panel * columns numbers
};

/// Vectors of the conjugate gradients, all laid out like g_S.
struct Iterates {
  double* x_V = nullptr;   ///< row nodes
  double* r_A = nullptr;   ///< residual at row nodes
  double* z_V = nullptr;   ///< residual through the row wires
  double* p_V = nullptr;   ///< direction
  double* ap_A = nullptr;  ///< row wires and cells times p
  double* sp_A = nullptr;  ///< the same with the columns eliminated
};

/// Shares, ohms, reach and gain from segments and g_S.
void factor_columns(VectorUnit unit, const Grid& grid);
void factor_rows(VectorUnit unit, const Grid& grid);

/// out = column voltages for the current in_A + g x; then r = g out where `r_A` is given. `in_A` may be null: zero.
void solve_columns(VectorUnit unit, const Grid& grid, const double* in_A, const double* x_V, double* out_V,
                   double* r_A);
/// p = z + beta p, ap = r + beta ap (with beta = 0 neither is read), sp = ap - g (columns eliminated) g p. Returns p .
/// sp.
double apply(VectorUnit unit, const Grid& grid, const Iterates& v, double beta);

struct RowResult {
  double r_dot_z = 0;
  double largest_z_V = 0;
};
/// x += alpha p, r -= alpha sp, then z = row wires solved for r. With alpha = 0 neither p nor sp is read.
RowResult solve_rows(VectorUnit unit, const Grid& grid, const Iterates& v, double alpha);

/// r = what is left of left_A (left over by the guess that x corrects) by the currents of x in cells and row wires,
/// from voltage drops. `row_S` [rows][columns + 1].
void residual(VectorUnit unit, const Grid& grid, const double* row_S, const double* left_A, const double* column_V,
              const Iterates& v);

}  // namespace tellegen::circuits::line_kernels
