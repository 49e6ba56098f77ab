#pragma once
// Activations that the ADCs behind a product compute (Boundary::nonlinear_adc).

#include <vector>

#include "tellegen/mapping/boundary.h"
#include "tellegen/mapping/chip.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// Joins activations to the products before them (models::Node::fused) where an edge asks for it and the sums of the product
/// are complete in one array and of one scale; finishes those edges. What one reader asks for all readers get.
models::Network join_activations(const models::Network& network, std::vector<Edge>& edges, const ChipConfig& chip);

}  // namespace tellegen::mapping
