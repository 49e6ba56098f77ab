#pragma once
// Products of two computed matrices (queries with keys, weights of attention with values), or of a constant matrix with
// a computed one: nothing that a crossbar holds. Leading dimensions are broadcast.

#include "tellegen/models/operation.h"

namespace tellegen::models {

class MatrixProduct final : public Operation {
 public:
  std::string label() const override { return "matrix product"; }
  /// Two inputs [..., m, k] and [..., k, n].
  Shape output_shape(std::span<const Shape> inputs) const override;
  Tensor run(std::span<const Tensor* const> inputs) const override;
  /// Counted per output element; the k products behind it are known from the shapes.
  std::string digital_unit() const override { return "multiply"; }
};

}  // namespace tellegen::models
