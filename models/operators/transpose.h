#pragma once
// Dimensions in another order.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Transpose final : public Operation {
 public:
  /// Output dimension i is input dimension order[i].
  explicit Transpose(std::vector<std::size_t> order) : order_(std::move(order)) {}
  std::string label() const override { return "transpose"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
  bool moves_only() const override { return true; }
  const std::vector<std::size_t>& order() const { return order_; }

 private:
  std::vector<std::size_t> order_;
};

void import_transpose(onnx::ImportContext& context);

}  // namespace tellegen::models
