#pragma once
// Zeros, a number, or mirrored or repeated entries around a sample.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Pad final : public Operation {
 public:
  enum class Mode { constant, reflect, edge };
  /// Entries before and behind each dimension.
  Pad(Mode mode, float value, std::vector<std::int64_t> before, std::vector<std::int64_t> behind)
      : mode_(mode), value_(value), before_(std::move(before)), behind_(std::move(behind)) {}
  std::string label() const override { return "pad"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }

 private:
  Mode mode_;
  float value_;
  std::vector<std::int64_t> before_, behind_;
};

void import_pad(onnx::ImportContext& context);

}  // namespace tellegen::models
