#pragma once
// A tensor repeated to larger dimensions.

#include "tellegen/models/operation.h"

namespace tellegen::models {

class Expand final : public Operation {
 public:
  /// `target` is broadcast with the input; it has no batch.
  explicit Expand(Shape target) : target_(std::move(target)) {}
  std::string label() const override { return "expand"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
  bool moves_only() const override { return true; }

 private:
  Shape target_;
};

}  // namespace tellegen::models
