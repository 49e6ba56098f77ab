#include "tellegen/models/operators/transpose.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"

namespace tellegen::models {

Shape Transpose::output_shape(std::span<const Shape> inputs) const {
  Shape shape;
  for (const std::size_t axis : order_) shape.push_back(inputs[0][axis]);
  return shape;
}

Tensor Transpose::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&input.shape, 1));
  output.data.resize(input.data.size());
  const std::size_t rank = order_.size();
  if (rank == 0) return input;
  std::vector<std::int64_t> input_strides(rank, 1), strides(rank), counters(rank, 0);
  for (std::size_t axis = rank - 1; axis > 0; --axis) input_strides[axis - 1] = input_strides[axis] * input.shape[axis];
  for (std::size_t axis = 0; axis < rank; ++axis) strides[axis] = input_strides[order_[axis]];
  // The last dimension is one loop: in most transposes it stays the last and is a block.
  const std::int64_t line = output.shape[rank - 1], step = strides[rank - 1];
  std::int64_t at = 0;
  for (float* out = output.data.data(); out != output.data.data() + output.data.size(); out += line) {
    const float* in = input.data.data() + at;
    if (step == 1)
      std::copy_n(in, line, out);
    else
      for (std::int64_t i = 0; i < line; ++i) out[i] = in[i * step];
    for (std::size_t axis = rank - 1; axis-- > 0;) {
      at += strides[axis];
      if (++counters[axis] < output.shape[axis]) break;
      at -= counters[axis] * strides[axis];
      counters[axis] = 0;
    }
  }
  return output;
}

void import_transpose(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  std::vector<std::int64_t> reversed, sorted;
  for (std::size_t axis = shape.size(); axis-- > 0;) reversed.push_back(static_cast<std::int64_t>(axis));
  const std::vector<std::int64_t> order = context.integers("perm", reversed);
  if (!std::is_permutation(order.begin(), order.end(), reversed.begin(), reversed.end()))
    throw InputError("has perm '" + to_string(order) + "' for an input of shape '" + to_string(shape) +
                     "'; each dimension once is needed.");
  context.emit(std::make_shared<const Transpose>(std::vector<std::size_t>(order.begin(), order.end())),
               {context.any_value(0)});
}

}  // namespace tellegen::models
