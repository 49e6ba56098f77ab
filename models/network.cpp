#include "tellegen/models/network.h"

namespace tellegen::models {

std::int64_t multiply_accumulates(const Network& network) {
  std::int64_t total = 0;
  for (const Node& node : network.nodes) {
    const auto* matrix = dynamic_cast<const MatrixOperation*>(node.operation.get());
    if (matrix == nullptr) continue;
    total +=
        matrix->positions(network.values[node.inputs[0]].shape) * static_cast<std::int64_t>(matrix->weights().size());
  }
  return total;
}

std::int64_t parameter_count(const Network& network) {
  std::int64_t total = 0;
  for (const Node& node : network.nodes) total += node.operation->parameters();
  return total;
}

}  // namespace tellegen::models
