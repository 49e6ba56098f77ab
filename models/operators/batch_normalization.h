#pragma once
// BatchNorm of inference: a scale and a shift per channel (dimension 1), from recorded statistics.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class BatchNormalization final : public Operation {
 public:
  BatchNormalization(std::vector<double> scale, std::vector<double> shift)
      : scale_(std::move(scale)), shift_(std::move(shift)) {}
  const std::vector<double>& scale() const { return scale_; }
  const std::vector<double>& shift() const { return shift_; }
  std::string label() const override { return "scale and shift"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "multiply"; }
  std::int64_t parameters() const override { return static_cast<std::int64_t>(scale_.size() + shift_.size()); }

 private:
  std::vector<double> scale_, shift_;
};

void import_batch_normalization(onnx::ImportContext& context);

}  // namespace tellegen::models
