#pragma once
// Comparisons, whose results are 1 and 0, and the choice between two tensors.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Compare final : public Operation {
 public:
  enum class Kind { equal, greater, greater_or_equal, less, less_or_equal };
  explicit Compare(Kind kind) : kind_(kind) {}
  std::string label() const override { return "compare"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "relu"; }

 private:
  Kind kind_;
};

/// Inputs: condition (0 or not), what stands where it holds, what stands elsewhere.
class Choose final : public Operation {
 public:
  std::string label() const override { return "choose"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
};

void import_equal(onnx::ImportContext& context);
void import_greater(onnx::ImportContext& context);
void import_greater_or_equal(onnx::ImportContext& context);
void import_less(onnx::ImportContext& context);
void import_less_or_equal(onnx::ImportContext& context);
void import_where(onnx::ImportContext& context);

}  // namespace tellegen::models
