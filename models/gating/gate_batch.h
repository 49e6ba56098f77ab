#pragma once
// Threshold gates on whole arrays in float.

#include <span>

#include "tellegen/base/vector_units.h"
#include "tellegen/models/gating/threshold_gate.h"

namespace tellegen::models::gating {

/// y[i] = value(gate, x[i]); `y` may be `x`. The gate must be valid. Within 4e-7 of the double value times the largest of
/// 1 and the branches' |s x + c|. `unit` is for tests: every unit gives the same bits.
void evaluate(const ThresholdGate& gate, std::span<const float> x, std::span<float> y,
              VectorUnit unit = best_vector_unit());

}  // namespace tellegen::models::gating
