#pragma once
// Routed activations (PolyGLU): each neuron mixes a palette of activations of one value, sum_k share_k phi_k(g). Shares are constants
// of the neuron, or a softmax that the network computes.

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "tellegen/models/network.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models {

struct RoutedActivation {
  std::size_t root = 0;                  ///< the node that makes the sum
  ValueId gate = -1;                     ///< g
  std::vector<Pointwise> palette;        ///< phi_k
  std::vector<std::size_t> activations;  ///< their nodes
  /// Share of each neuron and activation, [neurons][K]; empty where the network computes them.
  std::vector<std::vector<double>> shares;
  std::optional<std::size_t> softmax;  ///< the node that computes them, [..., neurons, K]
  std::set<std::size_t> nodes;         ///< everything from the activations and the shares to the sum
};

/// All of a network, in order. A sum is one where its constant shares are not negative, add up to 1 for each neuron and are
/// the same for all tokens, or where its shares are all parts of one softmax.
std::vector<RoutedActivation> routed_activations(const Network& network);

}  // namespace tellegen::models
