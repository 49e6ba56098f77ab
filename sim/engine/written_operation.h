#pragma once
// The written matrices of one sample as a layer's weights: what the path of a static layer needs to run them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tellegen/models/operation.h"

namespace tellegen::sim {

/// y[b, h, t] = x[b, h, t] W[h]: inputs [batch, heads, positions, k], outputs [batch, heads, positions, n].
class WrittenOperation final : public models::MatrixOperation {
 public:
  /// `matrices` [heads][k][n], as the second factor of the product stands in its tensor.
  WrittenOperation(std::int64_t heads, std::int64_t k, std::int64_t n, const float* matrices);
  std::string label() const override { return "written product"; }
  models::Shape output_shape(std::span<const models::Shape> inputs) const override;
  std::int64_t groups() const override { return heads_; }
  std::int64_t rows_per_group() const override { return k_; }
  std::int64_t outputs_per_group() const override { return n_; }
  std::int64_t positions(const models::Shape& input) const override { return input.at(2); }
  std::span<const float> weights() const override { return weights_; }
  std::span<const float> bias() const override { return {}; }
  void patches(const models::Tensor& input, std::int64_t first, std::int64_t count, float* out) const override;
  void scatter(const float* products, std::int64_t first, std::int64_t count, models::Tensor& output) const override;
  std::shared_ptr<const MatrixOperation> with_weights(std::vector<float> weights,
                                                      std::vector<float> bias) const override;

 private:
  std::int64_t heads_, k_, n_;
  std::vector<float> weights_;  ///< [heads][n][k]
};

}  // namespace tellegen::sim
