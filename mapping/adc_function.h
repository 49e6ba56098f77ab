#pragma once
// Activations of a network as functions that a non-linear converter can be shaped to.

#include <optional>

#include "tellegen/circuits/digital/scalar_function.h"
#include "tellegen/models/operation.h"

namespace tellegen::mapping {

/// The function with its turning points, in double precision; nothing where the operation is no function of one number.
std::optional<circuits::ScalarFunction> adc_function_of(const models::Operation& activation);

}  // namespace tellegen::mapping
