#pragma once
// Gated feed-forwards of a network: down(phi(gate x) * (up x)), phi one activation, one per neuron, or a routed mixture.

#include <cstddef>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

struct GatedLayer {
  std::string name;                      ///< of the node that multiplies both halves
  std::string function;                  ///< what phi is: "silu", "activation per neuron", "routed activations"
  ValueId gate = -1;                     ///< what goes into phi
  ValueId gated = -1;                    ///< phi of it
  ValueId hidden = -1;                   ///< the product of both halves
  std::vector<std::size_t> activations;  ///< nodes that compute phi, or what it mixes, from the gate alone
  std::vector<std::size_t> matrices;     ///< nodes of gate, up and down; gate and up are one node where they are fused
};

/// All of a network, in order: both halves come from one value, and only matrices read their product.
std::vector<GatedLayer> gated_layers(const Network& network);

}  // namespace tellegen::models
