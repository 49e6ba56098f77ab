#include "tellegen/models/operators/prelu.h"

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/broadcast.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models {

Shape Prelu::output_shape(std::span<const Shape> inputs) const {
  if (broadcast(inputs[0], slope_.shape) != inputs[0])
    throw InputError("has slopes of shape '" + to_string(slope_.shape) + "' for an input of shape '" +
                     to_string(inputs[0]) + "'.");
  return inputs[0];
}

Tensor Prelu::run(std::span<const Tensor* const> inputs) const {
  return combine(*inputs[0], slope_, [](float x, float slope) { return x < 0 ? slope * x : x; });
}

void import_prelu(onnx::ImportContext& context) {
  const Tensor& slope = context.constant(1);
  if (slope.size() == 1)
    context.emit(std::make_shared<const Pointwise>(Pointwise::Kind::leaky_relu, slope.data[0]), {context.value(0)});
  else
    context.emit(std::make_shared<const Prelu>(slope), {context.value(0)});
}

}  // namespace tellegen::models
