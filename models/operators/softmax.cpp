#include "tellegen/models/operators/softmax.h"

#include <algorithm>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/models/operators/vector_exp.h"

namespace tellegen::models {

namespace {

void softmax_line(float* data, std::int64_t size, std::int64_t stride) {
  float largest = data[0], sum = 0;
  for (std::int64_t i = 1; i < size; ++i) largest = std::max(largest, data[i * stride]);
  for (std::int64_t i = 0; i < size; ++i) {
    data[i * stride] = vector_exp(data[i * stride] - largest);
    sum += data[i * stride];
  }
  for (std::int64_t i = 0; i < size; ++i) data[i * stride] /= sum;
}

}  // namespace

Tensor Softmax::run(std::span<const Tensor* const> inputs) const {
  Tensor output = *inputs[0];
  const auto begin = output.shape.begin();
  const std::int64_t size = element_count({begin + first_axis_, begin + last_axis_ + 1});
  const std::int64_t inner = element_count({begin + last_axis_ + 1, output.shape.end()});
  for (std::int64_t outer = 0; outer < output.size(); outer += size * inner)
    for (std::int64_t i = 0; i < inner; ++i) softmax_line(output.data.data() + outer + i, size, inner);
  return output;
}

void import_softmax(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const bool flattens = context.opset() < 13;
  const std::size_t axis = sample_axis(context.integer("axis", flattens ? 1 : -1), shape.size());
  context.emit(std::make_shared<const Softmax>(axis, flattens ? shape.size() - 1 : axis), {context.value(0)});
}

}  // namespace tellegen::models
