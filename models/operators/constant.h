#pragma once
// Tensors written into the graph: ONNX Constant, and constants where an operation needs a value.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

/// Makes a tensor from nothing.
class ConstantTensor final : public Operation {
 public:
  explicit ConstantTensor(Tensor tensor) : tensor_(std::move(tensor)) {}
  const Tensor& tensor() const { return tensor_; }
  std::string label() const override { return "constant"; }
  Shape output_shape(std::span<const Shape>) const override { return tensor_.shape; }
  Tensor run(std::span<const Tensor* const>) const override { return tensor_; }
  std::string digital_unit() const override { return ""; }
  std::int64_t parameters() const override { return tensor_.size(); }

 private:
  Tensor tensor_;
};

void import_constant(onnx::ImportContext& context);

}  // namespace tellegen::models
