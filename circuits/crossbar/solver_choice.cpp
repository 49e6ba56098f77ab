#include "tellegen/circuits/crossbar/solver_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/base/units.h"

namespace tellegen::circuits {
namespace {

std::string time_text(double t_s) { return format(Time::si(t_s)); }

/// Passes over the cells: more of them, and out of cache, in larger arrays. Measured 0.05, 0.3, 1.9 and 19 ms for 64,
/// 128, 256 and 512 squared.
SolverCost line_cost(double cells, double longer, double vectors) {
  constexpr double flops_per_cell = 40;  // of one pass
  const double passes = 2 + longer / 32;
  return {vectors * cells * flops_per_cell * passes, vectors * cells * 8e-9 * (1 + longer / 64)};
}

/// Leaves, then joins of ever larger rectangles, then one product per vector. Measured 0.66, 2.6, 21 and 114 ms.
SolverCost transfer_cost(double cells, double shorter, double vectors) {
  constexpr double flops_per_cell_and_line = 35;  // tellegen_crossbar_bench prints 32 to 35
  return {cells * shorter * flops_per_cell_and_line + vectors * 2 * cells,
          5e-5 + cells * (80e-9 + 0.8e-9 * shorter) + vectors * 2 * cells / 2e9};
}

}  // namespace

std::string to_string(LinearSolver solver) {
  switch (solver) {
    case LinearSolver::line:
      return "line";
    case LinearSolver::transfer:
      return "transfer";
    case LinearSolver::reference:
      return "reference";
  }
  TELLEGEN_ASSERT(false);
}

SolverChoice choose_solver(const Wires& wires, std::int64_t vectors) {
  check(wires);
  if (vectors < 0) throw InputError(fmt::format("A job has '{}' input vectors; 0 or more are needed.", vectors));
  const auto cells = static_cast<double>(wires.rows * wires.columns);
  const auto count = static_cast<double>(vectors);
  SolverChoice out;
  out.line = line_cost(cells, static_cast<double>(std::max(wires.rows, wires.columns)), count);
  out.transfer = transfer_cost(cells, static_cast<double>(std::min(wires.rows, wires.columns)), count);
  const bool line = out.line.time_s <= out.transfer.time_s;
  out.solver = line ? LinearSolver::line : LinearSolver::transfer;
  out.reason =
      fmt::format("estimated {} for {} input vector{} on {} x {} cells, against {} by {}",
                  time_text(line ? out.line.time_s : out.transfer.time_s), vectors, vectors == 1 ? "" : "s", wires.rows,
                  wires.columns, time_text(line ? out.transfer.time_s : out.line.time_s), line ? "transfer" : "line");
  return out;
}

std::string fallback_text(std::int64_t vector, const LineAccuracy& accuracy) {
  return fmt::format(
      "Input vector {}: the line solver stopped at a bound of {:.2g} A after {} iterations; the reference solver takes "
      "over.",
      vector, accuracy.bound_A, accuracy.iterations);
}

}  // namespace tellegen::circuits
