#pragma once
// Which solver is the fastest for a job on linear cells, by counting what each has to do. The answer says why, for the
// log of a run.

#include <cstdint>
#include <string>

#include "tellegen/circuits/crossbar/line_solver.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// line: conjugate gradients, vector by vector. transfer: T once, then products. reference: sparse LDLT, the slow one.
enum class LinearSolver { line, transfer, reference };

/// "line", "transfer", "reference".
std::string to_string(LinearSolver solver);

/// An estimate. Seconds are of one core of a 2.6 GHz Zen 4; only their ratio matters.
struct SolverCost {
  double flops = 0;
  double time_s = 0;
};

struct SolverChoice {
  LinearSolver solver = LinearSolver::transfer;
  SolverCost line, transfer;
  /// "estimated 628 us for 10 input vectors on 64 x 64 cells, against 655 us by line": without a full stop.
  std::string reason;
};

/// For `vectors` input vectors, outputs to 1e-12. Throws InputError as check does, and for vectors below 0.
SolverChoice choose_solver(const Wires& wires, std::int64_t vectors);

/// A full sentence on a vector for which the line solver has not reached its tolerance.
std::string fallback_text(std::int64_t vector, const LineAccuracy& accuracy);

}  // namespace tellegen::circuits
