#pragma once
// Activations of a network as gates that a circuit can be asked for.

#include <optional>

#include "tellegen/circuits/front_end/gate_function.h"
#include "tellegen/models/operation.h"

namespace tellegen::mapping {

/// The gate of an activation: exact, but for GELU, which takes three branches with exact tails (least rms error under
/// N(0, 1)). Nothing where one threshold gate is not enough (ELU, softplus, Mish), or the operation is no function of one
/// number.
std::optional<circuits::GateFunction> gate_of(const models::Operation& activation);

}  // namespace tellegen::mapping
