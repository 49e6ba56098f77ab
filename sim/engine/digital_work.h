#pragma once
// What digital units compute between the arrays: counted by operations, so that each can be priced.

#include <cstdint>
#include <map>
#include <string>

#include "tellegen/models/network.h"

namespace tellegen::sim {

/// Unit name -> operations for one output of `node`. Products of two computed matrices take one multiplication and one
/// addition per term; a layer with a state takes its gates, its products and its sums for every step.
std::map<std::string, std::int64_t> digital_work(const models::Network& network, const models::Node& node,
                                                 const models::Tensor& output);

}  // namespace tellegen::sim
