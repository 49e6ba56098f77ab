#pragma once
// Convolution over height and width as products of patches with a matrix per group.

#include "tellegen/models/operation.h"
#include "tellegen/models/operators/direct_convolution.h"
#include "tellegen/models/operators/window.h"

namespace tellegen::models {

class Convolution final : public MatrixOperation {
 public:
  /// weights [groups][outputs_per_group][channels_per_group * kernel_h * kernel_w], bias [groups * outputs_per_group]
  /// or empty.
  Convolution(const Window& window, std::int64_t groups, std::int64_t channels_per_group, std::vector<float> weights,
              std::vector<float> bias);
  /// Sizes alone: without weights.
  Convolution(const Window& window, std::int64_t groups, std::int64_t channels_per_group,
              std::int64_t outputs_per_group, bool has_bias);
  bool has_weights() const override { return !weights_.empty(); }
  bool has_bias() const override { return has_bias_; }
  const Window& window() const { return window_; }
  std::string label() const override;
  Shape output_shape(std::span<const Shape> inputs) const override;
  std::int64_t groups() const override { return groups_; }
  std::int64_t rows_per_group() const override { return channels_per_group_ * window_.kernel[0] * window_.kernel[1]; }
  std::int64_t outputs_per_group() const override { return outputs_per_group_; }
  std::int64_t positions(const Shape& input) const override;
  std::span<const float> weights() const override { return weights_; }
  std::span<const float> bias() const override { return bias_; }
  std::shared_ptr<const MatrixOperation> with_weights(std::vector<float> weights,
                                                      std::vector<float> bias) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  void patches(const Tensor& input, std::int64_t first, std::int64_t count, float* out) const override;
  void scatter(const float* products, std::int64_t first, std::int64_t count, Tensor& output) const override;

 private:
  void multiply_pixels(const Tensor& input, Tensor& output) const;

  Window window_;
  std::int64_t groups_, channels_per_group_, outputs_per_group_;
  std::vector<float> weights_, bias_;
  bool has_bias_;
  DirectConvolution direct_;
};

void import_conv(onnx::ImportContext& context);

}  // namespace tellegen::models
