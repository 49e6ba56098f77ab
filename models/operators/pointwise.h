#pragma once
// Activations: functions of one number, applied to each element.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Pointwise final : public Operation {
 public:
  enum class Kind {
    relu,
    leaky_relu,  ///< a: slope below 0
    clip,        ///< a, b: bounds
    elu,         ///< a: minus the limit at -infinity
    sigmoid,
    hard_sigmoid,  ///< a, b: slope and offset
    tanh,
    silu,
    swish,  ///< x sigmoid(a x)
    hard_swish,
    gelu_erf,   ///< x Phi(x)
    gelu_tanh,  ///< x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2
    softplus,
    mish,      ///< x tanh(softplus(x))
    tanh_sech  ///< a tanh(x) sech(x): the gate of MemGLU
  };
  /// `a` and `b` mean what stands behind the kind.
  explicit Pointwise(Kind kind, float a = 0, float b = 0) : kind_(kind), a_(a), b_(b) {}
  Kind kind() const { return kind_; }
  float a() const { return a_; }
  float b() const { return b_; }
  std::string label() const override;
  Shape output_shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  Tensor run_taking(Tensor& first, std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override;

 private:
  void apply(std::span<float> x) const;

  Kind kind_;
  float a_, b_;
};

void import_relu(onnx::ImportContext& context);
void import_leaky_relu(onnx::ImportContext& context);
void import_clip(onnx::ImportContext& context);
void import_elu(onnx::ImportContext& context);
void import_sigmoid(onnx::ImportContext& context);
void import_hard_sigmoid(onnx::ImportContext& context);
void import_tanh(onnx::ImportContext& context);
void import_hard_swish(onnx::ImportContext& context);
void import_softplus(onnx::ImportContext& context);
void import_mish(onnx::ImportContext& context);

}  // namespace tellegen::models
