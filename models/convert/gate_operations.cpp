#include "tellegen/models/convert/gate_operations.h"

#include <utility>

#include "tellegen/models/gating/gate_batch.h"

namespace tellegen::models {

GateOperation::GateOperation(gating::ThresholdGate gate, const Pointwise& activation)
    : gate_(std::move(gate)), activation_(activation) {
  gating::validate(gate_);
}

Tensor GateOperation::run(std::span<const Tensor* const> inputs) const {
  Tensor output{inputs[0]->shape, std::vector<float>(inputs[0]->data.size())};
  gating::evaluate(gate_, inputs[0]->data, output.data);
  return output;
}

Network with_gates(const Network& network, const GateChoice& choose) {
  Network result = network;
  for (std::size_t index = 0; index < result.nodes.size(); ++index) {
    Node& node = result.nodes[index];
    const auto* activation = dynamic_cast<const Pointwise*>(node.operation.get());
    if (activation == nullptr) continue;
    if (std::optional<gating::ThresholdGate> gate = choose(*activation, index))
      node.operation = std::make_shared<const GateOperation>(std::move(*gate), *activation);
  }
  return result;
}

}  // namespace tellegen::models
