#pragma once
// What stands in for a softmax where only the largest share counts.

#include "tellegen/models/operation.h"

namespace tellegen::models {

/// 1 at the largest element of the last dimension, the first of equals, and 0 elsewhere.
class LargestShare final : public Operation {
 public:
  std::string label() const override { return "largest share"; }
  Shape output_shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  /// Comparators, as in a max pool.
  std::string digital_unit() const override { return "max_pool"; }
};

}  // namespace tellegen::models
