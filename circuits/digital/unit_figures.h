#pragma once
// How well a digital unit computes its function, and what it costs: both from the same object.

#include <cmath>

#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/circuits/digital/lookup_table.h"
#include "tellegen/circuits/digital/piecewise_linear.h"

namespace tellegen::circuits {

/// Of the output against the exact function, over all input words.
struct ApproximationError {
  double max = 0, rms = 0;  ///< in y
  double max_steps = 0;     ///< in steps of the output word
};

template <class Unit>
ApproximationError approximation_error(const Unit& unit) {
  ApproximationError found;
  const FixedPoint& input = unit.input();
  double squares = 0;
  for (std::int64_t code = input.lowest(); code <= input.highest(); ++code) {
    const double error = unit.output().value(unit.code(code)) - evaluate(unit.function(), input.value(code));
    squares += error * error;
    found.max = std::max(found.max, std::abs(error));
  }
  found.rms = std::sqrt(squares / static_cast<double>(input.highest() - input.lowest() + 1));
  found.max_steps = found.max / unit.output().step();
  return found;
}

/// Per element, at `node`. Table: one word out of a memory that holds it. Lines: find the segment (an addition of the
/// input's width, or one for each halving where the upper bits do not pick it), read slope and offset, multiply, add; coefficients in registers, or wired.
Price price(const LookupTable& table, const CostModel& costs, Length node);
Price price(const PiecewiseLinear& lines, const CostModel& costs, Length node);

}  // namespace tellegen::circuits
