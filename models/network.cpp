#include "tellegen/models/network.h"

#include <algorithm>

namespace tellegen::models {

std::int64_t multiply_accumulates(const Network& network) {
  std::int64_t total = 0;
  for (const Node& node : network.nodes) {
    const auto* matrix = dynamic_cast<const MatrixOperation*>(node.operation.get());
    if (matrix == nullptr) continue;
    total += matrix->positions(network.values[node.inputs[0]].shape) * matrix->weight_count();
  }
  return total;
}

std::int64_t parameter_count(const Network& network) {
  if (network.trained_parameters) return *network.trained_parameters;
  std::int64_t total = 0;
  for (const Node& node : network.nodes) total += node.operation->parameters();
  return total;
}

bool has_weights(const Network& network) {
  return std::all_of(network.nodes.begin(), network.nodes.end(),
                     [](const Node& node) { return node.operation->has_weights(); });
}

}  // namespace tellegen::models
