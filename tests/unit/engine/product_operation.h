#pragma once
// The plainest matrix layer, for chips with one layer made in a test: y = W x.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "tellegen/models/operation.h"

namespace tellegen::sim::test {

class Product final : public models::MatrixOperation {
 public:
  /// weights [outputs][rows].
  Product(std::vector<float> weights, std::int64_t outputs)
      : weights_(std::move(weights)), outputs_(outputs), rows_(static_cast<std::int64_t>(weights_.size()) / outputs) {}
  std::string label() const override { return "product"; }
  models::Shape output_shape(std::span<const models::Shape> inputs) const override { return {inputs[0][0], outputs_}; }
  std::int64_t groups() const override { return 1; }
  std::int64_t rows_per_group() const override { return rows_; }
  std::int64_t outputs_per_group() const override { return outputs_; }
  std::int64_t positions(const models::Shape&) const override { return 1; }
  std::span<const float> weights() const override { return weights_; }
  std::span<const float> bias() const override { return {}; }
  std::shared_ptr<const MatrixOperation> with_weights(std::vector<float> weights, std::vector<float>) const override {
    return std::make_shared<Product>(std::move(weights), outputs_);
  }
  void patches(const models::Tensor& input, std::int64_t first, std::int64_t count, float* out) const override {
    std::copy_n(input.data.data() + first * rows_, count * rows_, out);
  }
  void scatter(const float* products, std::int64_t first, std::int64_t count, models::Tensor& output) const override {
    std::copy(products, products + count * outputs_, output.data.data() + first * outputs_);
  }

 private:
  std::vector<float> weights_;
  std::int64_t outputs_, rows_;
};

}  // namespace tellegen::sim::test
