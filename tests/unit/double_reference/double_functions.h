#pragma once
// The non-linear functions of a network in double, in two ways: as they are defined, and by threshold gates.

#include <functional>
#include <span>

#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models::reference {

using Curve = std::function<double(double)>;

struct Functions {
  /// The function that an activation is.
  std::function<Curve(const Pointwise& activation)> curve;
  /// Softmax of one row, in place.
  std::function<void(std::span<double> row)> softmax;
};

/// Definitions with the functions of the standard library.
Functions defined_functions();
/// Exact gates, the pair and its geometric mean for tanh sech, and softmax as sigmoids against the log-sum-exp of all other
/// entries. An assertion fails where an activation has no exact gate.
Functions gate_functions();

}  // namespace tellegen::models::reference
