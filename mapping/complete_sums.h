#pragma once
// Whether the sums of a layer are there as currents on the lines of its arrays, before anything digital is done to them.

#include <string>

#include "tellegen/mapping/chip.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// An empty string where they are; else what is missing, as the end of a sentence. `layer` belongs to a node of `network`
/// that is a product itself.
std::string what_sums_lack(const models::Network& network, const LayerPlan& layer, const ChipConfig& chip);

}  // namespace tellegen::mapping
