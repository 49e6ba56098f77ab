#pragma once
// Where an activation may be computed in front of the product that follows it, instead of behind the product before it:
// the network is the same, W phi(u) + b with u the sum before (re-bracketing). Whether a site allows it is decided by
// rule and explained.

#include <cstddef>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

/// Why an activation cannot stand in front of what follows.
enum class Obstacle {
  none,
  network_output,   ///< the last layer: no product follows
  product,          ///< of two activations: gates of GLU, squeeze-and-excitation
  sum,              ///< a residual connection
  average,          ///< a pool or norm that mixes values in the digital part
  order,            ///< max pooling of an activation that is not monotone
  padding,          ///< zeros around the input, and phi(0) != 0
  other_operation,  ///< anything else that is not a product with constant weights
};

/// One thing that reads an activation, behind operations that commute with it.
struct Follower {
  std::size_t node = 0;  ///< the matrix operation, or what stands in the way; the activation itself at the output
  std::vector<std::size_t> between;  ///< nodes on the way: reshapes, max pools
  Obstacle obstacle = Obstacle::none;
  std::string why;  ///< one sentence for people
  bool legal() const { return obstacle == Obstacle::none; }
};

/// One activation of the network.
struct GateSite {
  std::size_t node = 0;
  std::vector<Follower> followers;
  bool any_legal() const;
  bool all_legal() const;
};

/// All activations, in order. Activations are the functions of one number (operators/pointwise.h).
std::vector<GateSite> gate_sites(const Network& network);

/// The network with the activation of every legal follower of `sites` in front of it (Node::gate). Followers that do not
/// allow it keep the activation as a node of its own; it disappears where nobody reads it any more. Outputs are the
/// same to rounding.
Network move_gates(const Network& network, const std::vector<GateSite>& sites);

}  // namespace tellegen::models
