#include "tellegen/models/operators/expand.h"

#include "tellegen/models/operators/broadcast.h"

namespace tellegen::models {

Shape Expand::output_shape(std::span<const Shape> inputs) const { return broadcast(inputs[0], target_); }

Tensor Expand::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  const Shape shape = broadcast(input.shape, target_);
  const Tensor zeros{shape, std::vector<float>(static_cast<std::size_t>(element_count(shape)))};
  return combine(zeros, input, [](float, float x) { return x; });
}

}  // namespace tellegen::models
