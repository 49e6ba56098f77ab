#pragma once
// Rotary embedding: pairs of entries of the last dimension turned by an angle that depends on the position.

#include "tellegen/models/operation.h"

namespace tellegen::models {

class Rotary final : public Operation {
 public:
  /// y[i] = x[i] cosine[i] + r[i] sine[i], r = {-second half of x, first half of x}; the factors are constants of equal
  /// shape that fit the trailing dimensions of the input.
  Rotary(Tensor cosine, Tensor sine) : cosine_(std::move(cosine)), sine_(std::move(sine)) {}
  const Tensor& cosine() const { return cosine_; }
  const Tensor& sine() const { return sine_; }
  std::string label() const override { return "rotary embedding"; }
  Shape output_shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "multiply"; }

 private:
  Tensor cosine_, sine_;
};

}  // namespace tellegen::models
