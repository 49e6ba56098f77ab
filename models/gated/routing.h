#pragma once
// How a network with routed activations (PolyGLU) chooses them when it is used: as a mixture, one for each token, or one for good.

#include <functional>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

enum class Routing {
  soft,   ///< as the file has it
  hard,   ///< each neuron takes the activation of its largest share, token by token
  frozen  ///< each neuron takes the activation of its largest mean logit over samples, always
};

/// Gives some inputs of the network; called only where shares are computed and have to be watched.
using Samples = std::function<Tensor()>;

/// The network with every routed activation routed so. Constant shares make hard and frozen the same: one activation per neuron.
/// Frozen networks have lost what computed the shares. Unchanged where nothing is routed.
Network with_routing(const Network& network, Routing routing, const Samples& samples);

/// How one layer routes.
struct RoutingSummary {
  std::string name;                   ///< of the node that makes the sum
  std::vector<std::string> palette;   ///< labels of the activations
  std::vector<double> frozen_shares;  ///< share of the neurons that freeze to each of them
  double entropy_nat = 0;             ///< mean over neurons and tokens; at most log K
  double agreement = 0;  ///< share of (neuron, token) pairs whose largest share is that of the frozen activation
};
std::vector<RoutingSummary> routing_summaries(const Network& network, const Samples& samples);

}  // namespace tellegen::models
