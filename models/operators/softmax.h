#pragma once
// exp(x - max) over its sum.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Softmax final : public Operation {
 public:
  /// Over dimensions first_axis .. last_axis together; neither is the batch.
  Softmax(std::size_t first_axis, std::size_t last_axis) : first_axis_(first_axis), last_axis_(last_axis) {}
  std::string label() const override { return "softmax"; }
  Shape output_shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "softmax"; }
  std::size_t first_axis() const { return first_axis_; }
  std::size_t last_axis() const { return last_axis_; }

 private:
  std::size_t first_axis_, last_axis_;
};

void import_softmax(onnx::ImportContext& context);

}  // namespace tellegen::models
