#pragma once
// One activation per element of the last dimension: a feed-forward whose neurons chose theirs while training (PolyGLU,
// frozen).

#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models {

class Selection final : public Operation {
 public:
  /// Element i of the last dimension goes through palette[choice[i]].
  Selection(std::vector<Pointwise> palette, std::vector<std::size_t> choice);
  const std::vector<Pointwise>& palette() const { return palette_; }
  const std::vector<std::size_t>& choice() const { return choice_; }
  std::string label() const override { return "activation per neuron"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  /// That of the dearest activation that is chosen: GELU before SiLU before tanh before relu.
  std::string digital_unit() const override;

 private:
  std::vector<Pointwise> palette_;
  std::vector<std::size_t> choice_;
};

}  // namespace tellegen::models
