#include "tellegen/models/operators/softmax.h"

#include <algorithm>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/activation_kernels.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

Tensor Softmax::run(std::span<const Tensor* const> inputs) const {
  Tensor output = *inputs[0];
  const AxisSplit split = split_at(output.shape, first_axis_, last_axis_);
  const std::int64_t size = split.size, inner = split.inner;
  const VectorUnit unit = best_vector_unit();
  std::vector<float> line(inner == 1 ? 0 : static_cast<std::size_t>(size));
  for (std::int64_t at = 0; at < output.size(); at += size * inner) {
    if (inner == 1) {
      kernels::softmax(unit, output.data.data() + at, size);
      continue;
    }
    for (std::int64_t i = at; i < at + inner; ++i) {
      for (std::int64_t k = 0; k < size; ++k) line[static_cast<std::size_t>(k)] = output.data[i + k * inner];
      kernels::softmax(unit, line.data(), size);
      for (std::int64_t k = 0; k < size; ++k) output.data[i + k * inner] = line[static_cast<std::size_t>(k)];
    }
  }
  return output;
}

void import_softmax(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const bool flattens = context.opset() < 13;
  const std::size_t axis = sample_axis(context.integer("axis", flattens ? 1 : -1), shape);
  const std::size_t last = flattens ? shape.size() - 1 : axis;
  for (std::size_t other = axis; other <= last; ++other) sample_axis(static_cast<std::int64_t>(other), shape);
  context.emit(std::make_shared<const Softmax>(axis, last), {context.value(0)});
}

}  // namespace tellegen::models
