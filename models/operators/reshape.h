#pragma once
// The same numbers under other dimensions: Reshape, Flatten, Squeeze, Unsqueeze; and the operators that do nothing in
// inference.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Reshape final : public Operation {
 public:
  /// The dimension of `target` that is negative, if any, grows with the samples (tensor.h).
  Reshape(std::string label, Shape target) : label_(std::move(label)), target_(std::move(target)) {}
  std::string label() const override { return label_; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  Tensor run_taking(Tensor& first, std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
  bool moves_only() const override { return true; }
  const Shape& target() const { return target_; }

 private:
  std::string label_;
  Shape target_;
};

void import_reshape(onnx::ImportContext& context);
void import_flatten(onnx::ImportContext& context);
void import_squeeze(onnx::ImportContext& context);
void import_unsqueeze(onnx::ImportContext& context);
void import_identity(onnx::ImportContext& context);
void import_dropout(onnx::ImportContext& context);

}  // namespace tellegen::models
