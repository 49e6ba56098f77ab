#pragma once
// Activations of a network computed by threshold gates: exact where the gate is exact, and otherwise as far off as the fit.

#include <functional>
#include <optional>

#include "tellegen/models/gating/threshold_gate.h"
#include "tellegen/models/network.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models {

/// A threshold gate on every element, in float.
class GateOperation final : public Operation {
 public:
  /// `activation` is what it stands in for; reports name it.
  GateOperation(gating::ThresholdGate gate, const Pointwise& activation);
  const gating::ThresholdGate& gate() const { return gate_; }
  std::string label() const override { return activation_.label() + " by threshold gate"; }
  Shape output_shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return activation_.digital_unit(); }

 private:
  gating::ThresholdGate gate_;
  Pointwise activation_;
};

/// Chooses the gate of the activation that node number `index` is; nothing leaves it as it is.
using GateChoice = std::function<std::optional<gating::ThresholdGate>(const Pointwise& activation, std::size_t index)>;

/// The network with each activation that `choose` has a gate for computed by that gate.
Network with_gates(const Network& network, const GateChoice& choose);

}  // namespace tellegen::models
