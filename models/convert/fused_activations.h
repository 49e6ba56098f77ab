#pragma once
// Activations straight behind products, computed by whoever computes the product.

#include <optional>
#include <set>
#include <string>

#include "tellegen/models/network.h"

namespace tellegen::models {

/// The node that makes a value, behind reshapes; nothing where it is the network's input.
std::optional<std::size_t> producer(const Network& network, ValueId value);

/// How many read the value, in front of reshapes and behind them; the network's output counts as one.
std::size_t readers(const Network& network, ValueId value);

/// The network with each of the activations named joined to the product that it stands behind (Node::fused). Each must have
/// a matrix operation as its producer, and be the only reader of its sums. Outputs are the same.
Network fuse_activations(const Network& network, const std::set<std::string>& activations);

}  // namespace tellegen::models
