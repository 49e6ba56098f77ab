#pragma once
// Activations of a network computed by threshold gates: exact where the gate is exact, and otherwise as far off as the fit.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/models/gating/threshold_gate.h"
#include "tellegen/models/network.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/selection.h"

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

/// Where each neuron has an activation of its own: element i of the last dimension goes through part choice[i].
class SelectedGates final : public Operation {
 public:
  SelectedGates(std::vector<std::shared_ptr<const Operation>> parts, const Selection& selection)
      : parts_(std::move(parts)), selection_(selection) {}
  std::string label() const override { return selection_.label() + " by threshold gates"; }
  Shape output_shape(std::span<const Shape> inputs) const override { return selection_.output_shape(inputs); }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return selection_.digital_unit(); }

 private:
  std::vector<std::shared_ptr<const Operation>> parts_;  ///< as Selection::palette
  Selection selection_;
};

/// Chooses the gate of the activation that node number `index` is, or that some of its neurons have;
/// nothing leaves it as it is.
using GateChoice = std::function<std::optional<gating::ThresholdGate>(const Pointwise& activation, std::size_t index)>;

/// The network with each activation that `choose` has a gate for computed by that gate.
Network with_gates(const Network& network, const GateChoice& choose);

}  // namespace tellegen::models
