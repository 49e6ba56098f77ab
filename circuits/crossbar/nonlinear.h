#pragma once
// The operating point of a crossbar with cells of any rising law: Newton's method on the line solver's equations.
//
// The circuit minimises its co-content (the integral of current over voltage, summed over all branches), which is
// convex where currents rise with voltages. A step along Newton's direction is shortened until it does not pass the
// minimum by far, so the method arrives from anywhere. The guess it starts from is the array without wire resistance.

#include <cstdint>
#include <span>
#include <variant>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/array_law.h"
#include "tellegen/circuits/crossbar/nodal_solution.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

struct NonlinearSolution {
  NodalSolution nodes;
  /// What the currents that do not balance yet can still change at an output, to first order in them; where rounding
  /// hides that, what the last whole step of Newton's method has changed.
  double remaining_A = 0;
  int newton_steps = 0;
  int iterations = 0;  ///< of conjugate gradients, in all steps
};
using NonlinearOutcome = std::variant<NonlinearSolution, Refusal>;

/// Output currents with an error of at most `tolerance` times the largest of them; 1e-14 is reached at any size, 1e-15
/// is below what rounding allows. An access resistance of the wires is
/// put in series with every cell. A refusal tells the residual that was reached, or which cell has no rising law.
/// Throws InputError as check and applied_voltages do.
NonlinearOutcome solve_nonlinear(const Wires& wires, const ArrayLaw& law, std::span<const double> input_V,
                                 double tolerance);

}  // namespace tellegen::circuits
