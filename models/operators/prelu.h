#pragma once
// x where positive, slope x elsewhere, with a trained slope for each channel.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Prelu final : public Operation {
 public:
  /// `slope` is broadcast to the input.
  explicit Prelu(Tensor slope) : slope_(std::move(slope)) {}
  const Tensor& slope() const { return slope_; }
  std::string label() const override { return "prelu"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "relu"; }
  std::int64_t parameters() const override { return slope_.size(); }

 private:
  Tensor slope_;
};

/// One slope for all is a leaky relu.
void import_prelu(onnx::ImportContext& context);

}  // namespace tellegen::models
