#pragma once
// Ranges of a sample's dimensions: Slice, and Split as several of them.

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

class Slice final : public Operation {
 public:
  /// Entries start, start + step, ... of dimension `axis`, `count` in all.
  struct Range {
    std::size_t axis = 0;
    std::int64_t start = 0, count = 0, step = 1;
  };
  explicit Slice(std::vector<Range> ranges) : ranges_(std::move(ranges)) {}
  const std::vector<Range>& ranges() const { return ranges_; }
  std::string label() const override { return "slice"; }
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return ""; }
  bool moves_only() const override { return true; }

 private:
  std::vector<Range> ranges_;
};

void import_slice(onnx::ImportContext& context);
void import_split(onnx::ImportContext& context);

}  // namespace tellegen::models
