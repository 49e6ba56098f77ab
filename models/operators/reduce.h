#pragma once
// Mean, sum, extremes and the like over some dimensions of a sample.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Reduce final : public Operation {
 public:
  enum class Kind { mean, sum, sum_square, l2, maximum, minimum };
  /// `axes` ascending; they stay as ones where `keep`.
  Reduce(Kind kind, std::vector<std::size_t> axes, bool keep) : kind_(kind), axes_(std::move(axes)), keep_(keep) {}
  Kind kind() const { return kind_; }
  const std::vector<std::size_t>& axes() const { return axes_; }
  bool keeps() const { return keep_; }
  std::string label() const override;
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override;

 private:
  Kind kind_;
  std::vector<std::size_t> axes_;
  bool keep_;
};

void import_reduce_mean(onnx::ImportContext& context);
void import_reduce_sum(onnx::ImportContext& context);
void import_reduce_sum_square(onnx::ImportContext& context);
void import_reduce_l2(onnx::ImportContext& context);
void import_reduce_max(onnx::ImportContext& context);
void import_reduce_min(onnx::ImportContext& context);

}  // namespace tellegen::models
