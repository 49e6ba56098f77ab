#pragma once
// Functions of one number, applied to each element.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Pointwise final : public Operation {
 public:
  enum class Kind { relu, leaky_relu, clip, sigmoid, hard_sigmoid, tanh, silu, hard_swish };
  /// `a` and `b`: slope of leaky_relu; bounds of clip; slope and offset of hard_sigmoid; else unused.
  explicit Pointwise(Kind kind, float a = 0, float b = 0) : kind_(kind), a_(a), b_(b) {}
  Kind kind() const { return kind_; }
  float a() const { return a_; }
  float b() const { return b_; }
  std::string label() const override;
  Shape output_shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override;

 private:
  Kind kind_;
  float a_, b_;
};

void import_relu(onnx::ImportContext& context);
void import_leaky_relu(onnx::ImportContext& context);
void import_clip(onnx::ImportContext& context);
void import_sigmoid(onnx::ImportContext& context);
void import_hard_sigmoid(onnx::ImportContext& context);
void import_tanh(onnx::ImportContext& context);
void import_hard_swish(onnx::ImportContext& context);

}  // namespace tellegen::models
