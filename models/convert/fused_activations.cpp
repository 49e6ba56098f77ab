#include "tellegen/models/convert/fused_activations.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/reshape.h"

namespace tellegen::models {

std::optional<std::size_t> producer(const Network& network, ValueId value) {
  for (std::size_t index = network.nodes.size(); index-- > 0;) {
    const Node& node = network.nodes[index];
    if (node.output != value) continue;
    if (dynamic_cast<const Reshape*>(node.operation.get()) == nullptr) return index;
    value = node.inputs.at(0);
  }
  return std::nullopt;
}

std::size_t readers(const Network& network, ValueId value) {
  std::size_t count = value == network.output ? 1 : 0;
  for (const Node& node : network.nodes) {
    if (std::find(node.inputs.begin(), node.inputs.end(), value) == node.inputs.end()) continue;
    const bool reshape = dynamic_cast<const Reshape*>(node.operation.get()) != nullptr;
    count += reshape ? readers(network, node.output)
                     : static_cast<std::size_t>(std::count(node.inputs.begin(), node.inputs.end(), value));
  }
  return count;
}

Network fuse_activations(const Network& network, const std::set<std::string>& activations) {
  Network fused = network;
  fused.nodes.clear();
  std::vector<ValueId> stands_for(network.values.size());
  for (std::size_t v = 0; v < stands_for.size(); ++v) stands_for[v] = static_cast<ValueId>(v);
  for (const Node& node : network.nodes) {
    Node kept = node;
    for (ValueId& input : kept.inputs) input = stands_for[static_cast<std::size_t>(input)];
    if (!activations.contains(node.name)) {
      fused.nodes.push_back(std::move(kept));
      continue;
    }
    const std::optional<std::size_t> product = producer(fused, kept.inputs.at(0));
    TELLEGEN_ASSERT(product && dynamic_cast<const MatrixOperation*>(fused.nodes[*product].operation.get()) != nullptr);
    fused.nodes[*product].fused = Gate{node.name, node.operation, node.source};
    stands_for[static_cast<std::size_t>(node.output)] = kept.inputs[0];
  }
  fused.output = stands_for[static_cast<std::size_t>(network.output)];
  return fused;
}

}  // namespace tellegen::models
