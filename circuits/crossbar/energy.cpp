#include "tellegen/circuits/crossbar/energy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tellegen::circuits {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// A wire without resistance takes no power.
double segment_power(double s_S, double drop_V) { return std::isinf(s_S) ? 0 : s_S * drop_V * drop_V; }

}  // namespace

double BranchPower::cells_W() const { return sum(cell_W); }
double BranchPower::row_wires_W() const { return sum(row_segment_W); }
double BranchPower::column_wires_W() const { return sum(column_segment_W); }

BranchPower branch_power(const NodalSolution& solution, const Segments& segments, std::span<const double> applied_V) {
  const std::int64_t rows = segments.rows;
  const std::int64_t columns = segments.columns;
  const auto w_V = [&](std::int64_t i, std::int64_t j) {
    return j < 0 || j == columns ? applied_V[static_cast<std::size_t>(i)]
                                 : solution.row_node_V[static_cast<std::size_t>(i * columns + j)];
  };
  const auto b_V = [&](std::int64_t i, std::int64_t j) {
    return i < 0 || i == rows ? 0.0 : solution.column_node_V[static_cast<std::size_t>(i * columns + j)];
  };
  BranchPower out;
  for (std::size_t k = 0; k < solution.cell_A.size(); ++k) {
    out.cell_W.push_back(solution.cell_A[k] * (solution.row_node_V[k] - solution.column_node_V[k]));
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t s = 0; s <= columns; ++s) {
      out.row_segment_W.push_back(segment_power(segments.row(i, s), w_V(i, s - 1) - w_V(i, s)));
    }
  }
  for (std::int64_t s = 0; s <= rows; ++s) {
    for (std::int64_t j = 0; j < columns; ++j) {
      out.column_segment_W.push_back(segment_power(segments.column(s, j), b_V(s - 1, j) - b_V(s, j)));
    }
  }
  return out;
}

double PowerBalance::relative_difference() const {
  const double larger_W = std::max(std::fabs(source_W), std::fabs(dissipated_W));
  return larger_W > 0 ? std::fabs(source_W - dissipated_W) / larger_W : 0;
}

PowerBalance power_balance(const NodalSolution& solution, const BranchPower& power) {
  return {solution.source_W, power.cells_W() + power.row_wires_W() + power.column_wires_W()};
}

}  // namespace tellegen::circuits
