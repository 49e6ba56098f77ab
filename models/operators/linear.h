#pragma once
// y = x W' + b along the last dimension: ONNX Gemm and MatMul with a constant matrix.

#include "tellegen/models/network.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Linear final : public MatrixOperation {
 public:
  /// weights [outputs][inputs], bias [outputs] or empty.
  Linear(std::int64_t inputs, std::vector<float> weights, std::vector<float> bias);
  /// Sizes alone: without weights.
  Linear(std::int64_t inputs, std::int64_t outputs, bool has_bias);
  bool has_weights() const override { return !weights_.empty(); }
  bool has_bias() const override { return has_bias_; }
  std::string label() const override { return "linear"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  std::int64_t groups() const override { return 1; }
  std::int64_t rows_per_group() const override { return inputs_; }
  std::int64_t outputs_per_group() const override { return outputs_; }
  std::int64_t positions(const Shape& input) const override;
  std::span<const float> weights() const override { return weights_; }
  std::span<const float> bias() const override { return bias_; }
  std::shared_ptr<const MatrixOperation> with_weights(std::vector<float> weights,
                                                      std::vector<float> bias) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  void patches(const Tensor& input, std::int64_t first, std::int64_t count, float* out) const override;
  void scatter(const float* products, std::int64_t first, std::int64_t count, Tensor& output) const override;

 private:
  std::int64_t inputs_, outputs_;
  std::vector<float> weights_, bias_;
  bool has_bias_;
};

/// What `linear` makes of a value whose batch may stand in any dimension but the last: matrix operations want it first,
/// so dimensions are moved before and back behind.
ValueId compute_linear(onnx::ImportContext& context, std::shared_ptr<const Linear> linear, ValueId input,
                       const std::string& what = "");

void import_gemm(onnx::ImportContext& context);
void import_matmul(onnx::ImportContext& context);

}  // namespace tellegen::models
