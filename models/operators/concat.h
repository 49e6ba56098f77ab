#pragma once
// Tensors one behind the other along a dimension of the sample.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Concat final : public Operation {
 public:
  explicit Concat(std::size_t axis) : axis_(axis) {}
  std::size_t axis() const { return axis_; }
  std::string label() const override { return "concat"; }
  /// Inputs have equal dimensions besides `axis`; one that is the same for all samples may have 1 where others have the
  /// batch.
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
  bool moves_only() const override { return true; }

 private:
  std::size_t axis_;
};

void import_concat(onnx::ImportContext& context);

}  // namespace tellegen::models
