#pragma once
// What digital units compute between the arrays: counted by operations, so that each can be priced.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tellegen/mapping/plan.h"
#include "tellegen/models/network.h"

namespace tellegen::sim {

/// Unit name -> operations for one output of `node`. Products of two computed matrices take one multiplication and one
/// addition per term; a layer with a state takes its gates, its products and its sums for every step.
std::map<std::string, std::int64_t> digital_work(const models::Network& network, const models::Node& node,
                                                 const models::Tensor& output);

/// Plan layer that each node's digital work belongs to: the latest matrix layer before it on the way of its data.
std::vector<std::size_t> digital_owners(const models::Network& network, const mapping::Plan& plan);

/// Bits of one value in the digital buffers: what the next DAC takes, 16 where that is ideal.
std::int64_t buffer_bits(const mapping::ChipConfig& chip);

}  // namespace tellegen::sim
