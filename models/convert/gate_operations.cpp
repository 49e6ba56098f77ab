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

Tensor SelectedGates::run(std::span<const Tensor* const> inputs) const {
  const Tensor& x = *inputs[0];
  const std::vector<std::size_t>& choice = selection_.choice();
  Tensor y{x.shape, std::vector<float>(x.data.size())};
  for (std::size_t kind = 0; kind < parts_.size(); ++kind) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < x.data.size(); ++at)
      if (choice[at % choice.size()] == kind) places.push_back(at);
    if (places.empty()) continue;
    Tensor part{{static_cast<std::int64_t>(places.size())}, {}};
    for (const std::size_t at : places) part.data.push_back(x.data[at]);
    const Tensor* only[] = {&part};
    const Tensor result = parts_[kind]->run(only);
    for (std::size_t i = 0; i < places.size(); ++i) y.data[places[i]] = result.data[i];
  }
  return y;
}

namespace {

std::shared_ptr<const Operation> gate_or_activation(const Pointwise& activation, std::size_t index,
                                                    const GateChoice& choose) {
  if (std::optional<gating::ThresholdGate> gate = choose(activation, index))
    return std::make_shared<const GateOperation>(std::move(*gate), activation);
  return std::make_shared<const Pointwise>(activation);
}

}  // namespace

Network with_gates(const Network& network, const GateChoice& choose) {
  Network result = network;
  for (std::size_t index = 0; index < result.nodes.size(); ++index) {
    Node& node = result.nodes[index];
    if (const auto* activation = dynamic_cast<const Pointwise*>(node.operation.get())) {
      node.operation = gate_or_activation(*activation, index, choose);
    } else if (const auto* selection = dynamic_cast<const Selection*>(node.operation.get())) {
      std::vector<std::shared_ptr<const Operation>> parts;
      for (const Pointwise& kind : selection->palette()) parts.push_back(gate_or_activation(kind, index, choose));
      node.operation = std::make_shared<const SelectedGates>(std::move(parts), *selection);
    }
  }
  return result;
}

}  // namespace tellegen::models
