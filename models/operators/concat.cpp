#include "tellegen/models/operators/concat.h"

#include <algorithm>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

namespace {

/// What tells one sample's constant part from a dimension that does not fit is known at import only; when running, a 1
/// beside a larger number is such a part.
bool agrees(std::int64_t& joint, std::int64_t dimension) {
  if (joint == dimension) return true;
  const bool repeats = joint == 1 || dimension == 1;
  if (joint == 1) joint = dimension;
  return repeats;
}

}  // namespace

Shape Concat::output_shape(std::span<const Shape> inputs) const {
  Shape shape = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    bool fits = inputs[i].size() == shape.size();
    for (std::size_t axis = 0; fits && axis < shape.size(); ++axis) {
      if (axis == axis_)
        shape[axis] += inputs[i][axis];
      else
        fits = agrees(shape[axis], inputs[i][axis]);
    }
    if (!fits)
      throw InputError("joins shapes '" + to_string(inputs[0]) + "' and '" + to_string(inputs[i]) + "' along axis " +
                       std::to_string(axis_) + "; the other dimensions must be equal.");
  }
  return shape;
}

Tensor Concat::run(std::span<const Tensor* const> inputs) const {
  std::vector<Shape> shapes;
  for (const Tensor* input : inputs) shapes.push_back(input->shape);
  Tensor output;
  output.shape = output_shape(shapes);
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  const AxisSplit whole = split_at(output.shape, axis_, axis_);
  std::int64_t start = 0;
  for (const Tensor* input : inputs) {
    const std::int64_t block = input->shape[axis_] * whole.inner, blocks = input->size() / block;
    for (std::int64_t outer = 0; outer < whole.outer; ++outer)
      std::copy_n(input->data.data() + (outer % blocks) * block, block,
                  output.data.data() + outer * whole.size * whole.inner + start);
    start += block;
  }
  return output;
}

void import_concat(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const std::size_t axis = sample_axis(context.integer("axis", 0), shape);
  std::vector<ValueId> inputs;
  bool known = true;
  for (std::size_t index = 0; index < context.input_count(); ++index) known = known && context.is_known(index);
  for (std::size_t index = 0; index < context.input_count(); ++index) {
    if (context.shape(index).size() != shape.size()) throw InputError("joins tensors of different ranks.");
    sample_axis(static_cast<std::int64_t>(axis), context.shape(index));
    inputs.push_back(known || !context.is_known(index) ? context.any_value(index) : context.operand(index));
  }
  // A 1 may only repeat along the batch.
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const Shape other = context.shape(index);
    for (std::size_t a = 0; a < shape.size(); ++a)
      if (a != axis && other[a] != shape[a] && !is_batch(other[a]) && !is_batch(shape[a]))
        throw InputError("joins shapes '" + to_string(shape) + "' and '" + to_string(other) + "' along axis " +
                         std::to_string(axis) + "; the other dimensions must be equal.");
  }
  context.emit(std::make_shared<const Concat>(axis), inputs);
}

}  // namespace tellegen::models
