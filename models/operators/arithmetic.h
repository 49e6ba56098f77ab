#pragma once
// Functions of two tensors, or of a tensor and a constant, element by element with broadcasting.

#include <optional>

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Arithmetic final : public Operation {
 public:
  enum class Kind { add, subtract, multiply, divide, power, minimum, maximum };
  /// Two inputs.
  explicit Arithmetic(Kind kind) : kind_(kind) {}
  /// One input beside a constant, which is the left operand where `constant_first`.
  Arithmetic(Kind kind, Tensor constant, bool constant_first)
      : kind_(kind), constant_(std::move(constant)), constant_first_(constant_first) {}
  Kind kind() const { return kind_; }
  const std::optional<Tensor>& constant() const { return constant_; }
  bool constant_first() const { return constant_first_; }
  std::string label() const override;
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  Tensor run_taking(Tensor& first, std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override;
  /// Single numbers (scales, epsilons) and masks are not trained.
  std::int64_t parameters() const override;

 private:
  Kind kind_;
  std::optional<Tensor> constant_;
  bool constant_first_ = false;
};

void import_add(onnx::ImportContext& context);
void import_sub(onnx::ImportContext& context);
void import_mul(onnx::ImportContext& context);
void import_div(onnx::ImportContext& context);
void import_pow(onnx::ImportContext& context);
void import_min(onnx::ImportContext& context);
void import_max(onnx::ImportContext& context);

}  // namespace tellegen::models
