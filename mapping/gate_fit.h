#pragma once
// Activations of a network as gates that a circuit can be asked for.

#include <optional>

#include "tellegen/circuits/front_end/gate_function.h"
#include "tellegen/models/gating/threshold_gate.h"
#include "tellegen/models/operation.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::mapping {

/// The gate of an activation: exact, but for GELU, which takes three branches with exact tails (least rms error under
/// N(0, 1)). Nothing where one threshold gate is not enough (ELU, softplus, Mish), or the operation is no function of one
/// number.
std::optional<circuits::GateFunction> gate_of(const models::Operation& activation);

/// The same as mathematics, for the activations that a gate of K branches stands for; nothing for MemGLU's gate, either.
std::optional<models::gating::ThresholdGate> threshold_gate_of(const models::Pointwise& activation);

}  // namespace tellegen::mapping
