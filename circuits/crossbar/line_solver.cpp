#include "tellegen/circuits/crossbar/line_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/connectivity.h"

namespace tellegen::circuits {
namespace {

constexpr int most_iterations = 10000;

double largest_size(std::span<const double> values) {
  double out = 0;
  for (const double value : values) out = std::max(out, std::fabs(value));
  return out;
}

}  // namespace

LineSolver::LineSolver(const Wires& wires, std::span<const double> cell_S)
    : wires_(wires), system_(segments_of(wires)) {
  // Cells that pass as they are need no second array.
  const bool as_given =
      wires_.access_ohm == 0 && static_cast<std::int64_t>(cell_S.size()) == wires_.rows * wires_.columns &&
      std::all_of(cell_S.begin(), cell_S.end(), [](double g_S) { return g_S >= 0 && std::isfinite(g_S); });
  const std::vector<double> converted_S = as_given ? std::vector<double>() : branch_conductances(wires_, cell_S);
  const std::span<const double> branch_S = as_given ? cell_S : converted_S;
  const auto columns = static_cast<std::size_t>(wires_.columns);
  // Only a broken wire leaves nodes in the air that have cells. Those carry no current.
  if (!wires_.broken.empty()) {
    isolated_row_.resize(branch_S.size());
    isolated_column_.resize(branch_S.size());
    for (const NodeName& node : connectivity(system_.segments(), branch_S, wires_).isolated) {
      (node.line == Line::row
           ? isolated_row_
           : isolated_column_)[static_cast<std::size_t>(node.row) * columns + static_cast<std::size_t>(node.column)] =
          1;
    }
  }
  for (std::int64_t i = 0; i < wires_.rows; ++i) {
    std::copy_n(branch_S.data() + i * wires_.columns, wires_.columns, system_.cell_S() + i * system_.stride());
  }
  for (std::size_t k = 0; k < isolated_row_.size(); ++k) {
    if (isolated_row_[k] == 0 && isolated_column_[k] == 0) continue;
    system_
        .cell_S()[static_cast<std::int64_t>(k / columns) * system_.stride() + static_cast<std::int64_t>(k % columns)] =
        0;
  }
  system_.factor();
  gains_ = system_.gains();
  largest_output_S_ = largest_size(gains_.output_S);
}

std::vector<double> LineSolver::outputs(std::span<const double> applied_V) const {
  const std::int64_t rows = wires_.rows;
  const std::int64_t stride = system_.stride();
  const double* b_V = system_.column_V();
  const Segments& segments = system_.segments();
  std::vector<double> out(static_cast<std::size_t>(wires_.columns));
  for (std::int64_t j = 0; j < wires_.columns; ++j) {
    const double top_S = segments.column(0, j);
    const double bottom_S = segments.column(rows, j);
    double& sum_A = out[static_cast<std::size_t>(j)];
    if (!std::isinf(top_S) && !std::isinf(bottom_S)) {
      sum_A = top_S * b_V[j] + bottom_S * b_V[(rows - 1) * stride + j];
      continue;
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t at = i * stride + j;
      const double drop_V = applied_V[static_cast<std::size_t>(i)] + system_.row_V()[at] - b_V[at];
      sum_A += system_.cell_S()[at] * drop_V;
    }
  }
  return out;
}

LineAccuracy LineSolver::solve_rows(std::span<const double> applied_V, double tolerance) {
  const std::int64_t stride = system_.stride();
  // The guess that is corrected: every row at its applied voltage, every column at 0 V. No wire carries current then,
  // and the cells' currents are left over.
  for (std::int64_t i = 0; i < wires_.rows; ++i) {
    const double* g_S = system_.cell_S() + i * stride;
    for (std::int64_t j = 0; j < wires_.columns; ++j) {
      const double current_A = g_S[j] * applied_V[static_cast<std::size_t>(i)];
      system_.row_A()[i * stride + j] = -current_A;
      system_.column_A()[i * stride + j] = current_A;
    }
  }
  system_.start();
  // Sums of products of rounded numbers: a few units in the last place of the largest voltage.
  const double rounding_A = 4 * std::numeric_limits<double>::epsilon() * largest_output_S_ * largest_size(applied_V);
  LineAccuracy accuracy;
  double scale_A = largest_size(outputs(applied_V));
  double last_bound_A = std::numeric_limits<double>::infinity();
  while (true) {
    const double allowed_A = std::max(tolerance * scale_A - rounding_A, 0.0);
    // After the last residual is added, what remains is M e.
    const double limit_V = allowed_A / (2 * largest_output_S_ * (gains_.amplification - 1));
    system_.iterate(std::isnan(limit_V) ? 0 : limit_V, most_iterations - system_.iterations());
    system_.solve_columns();
    const double error_V = gains_.amplification * system_.row_residual();
    accuracy.bound_A = error_V > 0 ? largest_output_S_ * error_V + rounding_A : rounding_A;
    accuracy.iterations = system_.iterations();
    scale_A = largest_size(outputs(applied_V));
    accuracy.reached = accuracy.bound_A <= tolerance * scale_A || accuracy.bound_A == 0;
    if (accuracy.reached || !(accuracy.bound_A < last_bound_A / 2) || accuracy.iterations >= most_iterations) break;
    last_bound_A = accuracy.bound_A;
  }
  return accuracy;
}

LineCurrents LineSolver::currents(std::span<const double> input_V, double tolerance) {
  const std::vector<double> applied_V = applied_voltages(wires_, input_V);
  LineCurrents out;
  out.accuracy = solve_rows(applied_V, tolerance);
  out.output_A = outputs(applied_V);
  return out;
}

LineSolution LineSolver::solve(std::span<const double> input_V, double tolerance) {
  const std::vector<double> applied_V = applied_voltages(wires_, input_V);
  LineSolution out;
  out.accuracy = solve_rows(applied_V, tolerance);
  const auto cells = static_cast<std::size_t>(wires_.rows * wires_.columns);
  out.nodes.row_node_V.resize(cells);
  out.nodes.column_node_V.resize(cells);
  out.nodes.cell_A.resize(cells);
  std::size_t k = 0;
  for (std::int64_t i = 0; i < wires_.rows; ++i) {
    for (std::int64_t j = 0; j < wires_.columns; ++j, ++k) {
      const std::int64_t at = i * system_.stride() + j;
      const bool in_air = !isolated_row_.empty() && isolated_row_[k] != 0;
      const double row_V = in_air ? 0 : applied_V[static_cast<std::size_t>(i)] + system_.row_V()[at];
      out.nodes.row_node_V[k] = row_V;
      out.nodes.column_node_V[k] = system_.column_V()[at];
      out.nodes.cell_A[k] = system_.cell_S()[at] * (row_V - system_.column_V()[at]);
    }
  }
  complete(out.nodes, system_.segments(), applied_V);
  return out;
}

std::vector<double> LineSolver::adjoint_drop_V(std::int64_t column, double tolerance_V) {
  const std::int64_t stride = system_.stride();
  const std::int64_t rows = wires_.rows;
  std::fill_n(system_.row_A(), rows * stride, 0.0);
  std::fill_n(system_.column_A(), rows * stride, 0.0);
  // The guess: the column at 1 V from end to end, all else at 0 V.
  for (std::int64_t i = 0; i < rows; ++i) {
    const double g_S = system_.cell_S()[i * stride + column];
    system_.row_A()[i * stride + column] = g_S;
    system_.column_A()[i * stride + column] = -g_S;
  }
  system_.start();
  // An error of the rows reaches the columns with at most its own size; after the last residual is added the rows have
  // (amplification - 1) times it.
  system_.iterate(tolerance_V / (2 * (gains_.amplification - 1)), most_iterations);
  system_.solve_columns();
  std::vector<double> out(static_cast<std::size_t>(rows * wires_.columns));
  std::size_t k = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < wires_.columns; ++j, ++k) {
      const std::int64_t at = i * stride + j;
      const bool in_air = !isolated_row_.empty() && isolated_column_[k] != 0;
      const double guess_V = j == column && !in_air ? 1 : 0;
      out[k] = guess_V + system_.column_V()[at] - system_.row_V()[at];
    }
  }
  return out;
}

}  // namespace tellegen::circuits
