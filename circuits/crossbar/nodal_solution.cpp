#include "tellegen/circuits/crossbar/nodal_solution.h"

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// One wire with its two ends: node k of `nodes` has the voltage node_V(k) and gives current_A(k) to its cell; segment
/// s joins nodes s - 1 and s, and nodes -1 and `nodes` are the terminals at end_V.
template <class NodeVoltage, class CellCurrent, class Segment>
struct Wire {
  std::int64_t nodes;
  double end_V;
  NodeVoltage node_V;
  CellCurrent current_A;
  Segment segment_S;

  /// Current into the wire from its terminals: what the cells take that are connected to one. (The drop along a
  /// terminal segment is a difference of nearly equal voltages, and would lose digits.)
  double terminal_current() const {
    double sum_A = 0;
    std::int64_t first = 0;
    while (first <= nodes && segment_S(first) > 0) {
      if (first < nodes) sum_A += current_A(first);
      ++first;
    }
    for (std::int64_t last = nodes; last > first && segment_S(last) > 0; --last) sum_A += current_A(last - 1);
    return sum_A;
  }

  double dissipated() const {
    double sum_W = 0;
    for (std::int64_t s = 0; s <= nodes; ++s) {
      const double g_S = segment_S(s);
      if (std::isinf(g_S)) continue;
      const double drop_V = (s > 0 ? node_V(s - 1) : end_V) - (s < nodes ? node_V(s) : end_V);
      sum_W += g_S * drop_V * drop_V;
    }
    return sum_W;
  }
};

}  // namespace

void complete(NodalSolution& solution, const Segments& segments, std::span<const double> applied_V) {
  const std::int64_t rows = segments.rows;
  const std::int64_t columns = segments.columns;
  const auto at = [columns](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * columns + j); };
  TELLEGEN_ASSERT(solution.cell_A.size() == static_cast<std::size_t>(rows * columns));
  solution.rows = rows;
  solution.columns = columns;
  solution.source_A.resize(static_cast<std::size_t>(rows));
  solution.output_A.resize(static_cast<std::size_t>(columns));
  solution.source_W = 0;
  solution.dissipated_W = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double source_V = applied_V[static_cast<std::size_t>(i)];
    const Wire wire{columns, source_V, [&](std::int64_t j) { return solution.row_node_V[at(i, j)]; },
                    [&](std::int64_t j) { return solution.cell_A[at(i, j)]; },
                    [&](std::int64_t s) { return segments.row(i, s); }};
    const double source_A = wire.terminal_current();
    solution.source_A[static_cast<std::size_t>(i)] = source_A;
    solution.source_W += source_V * source_A;
    solution.dissipated_W += wire.dissipated();
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    const Wire wire{rows, 0.0, [&](std::int64_t i) { return solution.column_node_V[at(i, j)]; },
                    [&](std::int64_t i) { return -solution.cell_A[at(i, j)]; },
                    [&](std::int64_t s) { return segments.column(s, j); }};
    solution.output_A[static_cast<std::size_t>(j)] = -wire.terminal_current();
    solution.dissipated_W += wire.dissipated();
  }
  for (std::size_t k = 0; k < solution.cell_A.size(); ++k) {
    solution.dissipated_W += solution.cell_A[k] * (solution.row_node_V[k] - solution.column_node_V[k]);
  }
}

void complete_linear(NodalSolution& solution, const Segments& segments, std::span<const double> branch_S,
                     std::span<const double> applied_V) {
  solution.cell_A.resize(branch_S.size());
  for (std::size_t k = 0; k < branch_S.size(); ++k) {
    solution.cell_A[k] = branch_S[k] * (solution.row_node_V[k] - solution.column_node_V[k]);
  }
  complete(solution, segments, applied_V);
}

}  // namespace tellegen::circuits
