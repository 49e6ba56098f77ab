#pragma once
// LayerNorm and RMSNorm: each sample's trailing dimensions brought to unit variance, then scaled and shifted.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Normalization final : public Operation {
 public:
  enum class Kind { layer, rms };  ///< with or without taking off the mean
  /// Over dimensions `axis` and behind. Scale and shift have as many elements as those, or are empty.
  Normalization(Kind kind, std::size_t axis, float epsilon, std::vector<float> scale, std::vector<float> shift)
      : kind_(kind), axis_(axis), epsilon_(epsilon), scale_(std::move(scale)), shift_(std::move(shift)) {}
  Kind kind() const { return kind_; }
  std::size_t axis() const { return axis_; }
  float epsilon() const { return epsilon_; }
  const std::vector<float>& scale() const { return scale_; }
  const std::vector<float>& shift() const { return shift_; }
  std::string label() const override { return kind_ == Kind::layer ? "layer norm" : "rms norm"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return "multiply"; }
  std::int64_t parameters() const override { return static_cast<std::int64_t>(scale_.size() + shift_.size()); }

 private:
  Kind kind_;
  std::size_t axis_;
  float epsilon_;
  std::vector<float> scale_, shift_;
};

void import_layer_normalization(onnx::ImportContext& context);

}  // namespace tellegen::models
