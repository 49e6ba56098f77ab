#pragma once
// Currents, settling, energy and area of one unit of a threshold gate.

#include "tellegen/circuits/front_end/gate_design.h"

namespace tellegen::circuits {

/// Supply currents and charges are those of inputs that alternate between -1 and 1: signals of unit variance.
FrontEndCost gate_cost(const ThresholdDesign& design);

}  // namespace tellegen::circuits
