#pragma once
// One or a few input vectors of a linear crossbar, without a transfer matrix: conjugate gradients on the row nodes.
// Every topology of wires.h; a solve needs a few passes over the cells.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/line_system.h"
#include "tellegen/circuits/crossbar/nodal_solution.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// How good a solve is.
struct LineAccuracy {
  double bound_A = 0;   ///< no output is further from the exact one than this
  bool reached = true;  ///< bound_A is within the tolerance; else rounding or the limit of iterations stopped it
  int iterations = 0;
};
struct LineCurrents {
  std::vector<double> output_A;  ///< [columns]
  LineAccuracy accuracy;
};
struct LineSolution {
  NodalSolution nodes;
  LineAccuracy accuracy;
};

class LineSolver {
 public:
  /// `cell_S` [rows][columns]. Throws InputError as check, branch_conductances do.
  LineSolver(const Wires& wires, std::span<const double> cell_S);

  /// Output currents with an error of at most `tolerance` times the largest of them. Throws InputError as
  /// applied_voltages does.
  LineCurrents currents(std::span<const double> input_V, double tolerance);
  /// The whole operating point, to the same tolerance of the outputs.
  LineSolution solve(std::span<const double> input_V, double tolerance);
  /// Voltage across each cell, from column to row node, with the sense ends of one column at 1 V and all other
  /// terminals at 0 V; each to `tolerance_V`. [rows][columns]
  std::vector<double> adjoint_drop_V(std::int64_t column, double tolerance_V);

 private:
  LineAccuracy solve_rows(std::span<const double> applied_V, double tolerance);
  std::vector<double> outputs(std::span<const double> applied_V) const;

  Wires wires_;
  std::vector<std::uint8_t> isolated_row_, isolated_column_;  ///< [rows][columns]; empty: none
  LineSystem system_;
  LineGains gains_;
  double largest_output_S_ = 0;
};

}  // namespace tellegen::circuits
