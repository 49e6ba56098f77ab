#pragma once
// Kernels of the Newton solver: cell laws over a row of cells, and the currents that do not balance at the nodes.

#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits::nonlinear_kernels {

/// current = G v0 sinh(v / v0), slope = G cosh(v / v0), to a few units in the last place.
void sinh_cells(VectorUnit unit, std::int64_t count, double v0_V, const double* g_S, const double* drop_V,
                double* current_A, double* slope_S);

/// Node voltages of an array, [rows][stride]: w = row node minus the voltage applied to its row, b = column node.
struct Nodes {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t stride = 0;
  const double* row_S = nullptr;     ///< [rows][columns + 1]
  const double* column_S = nullptr;  ///< [rows + 1][columns]
  const double* w_V = nullptr;
  const double* b_V = nullptr;
  const double* cell_A = nullptr;  ///< from row to column node
};
/// Current that arrives at each node and does not leave, from branch voltage drops. [rows][stride]
void residuals(VectorUnit unit, const Nodes& nodes, double* row_A, double* column_A);

/// Sums over the rows of one column each, [columns]: currents of the cells, and sizes of the column residuals.
void sum_columns(VectorUnit unit, const Nodes& nodes, const double* column_A, double* cell_sum_A,
                 double* residual_sum_A);
/// sum a b + sum c d, in a fixed order. `count` is a multiple of 32.
double two_products(VectorUnit unit, std::int64_t count, const double* a, const double* b, const double* c,
                    const double* d);

}  // namespace tellegen::circuits::nonlinear_kernels
