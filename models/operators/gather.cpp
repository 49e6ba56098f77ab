#include "tellegen/models/operators/gather.h"

#include <algorithm>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

Shape Select::output_shape(std::span<const Shape> inputs) const {
  Shape shape = inputs[0];
  const auto at = shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis_));
  shape.insert(at, index_shape_.begin(), index_shape_.end());
  return shape;
}

Tensor Select::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&input.shape, 1));
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  const AxisSplit split = split_at(input.shape, axis_, axis_);
  float* out = output.data.data();
  for (std::int64_t outer = 0; outer < split.outer; ++outer)
    for (const std::int64_t index : indices_) {
      std::copy_n(input.data.data() + (outer * split.size + index) * split.inner, split.inner, out);
      out += split.inner;
    }
  return output;
}

Shape Embedding::output_shape(std::span<const Shape> inputs) const {
  Shape shape = inputs[0];
  shape.insert(shape.end(), table_.shape.begin() + 1, table_.shape.end());
  return shape;
}

Tensor Embedding::run(std::span<const Tensor* const> inputs) const {
  const Tensor& tokens = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&tokens.shape, 1));
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  const std::int64_t rows = table_.shape[0], width = table_.size() / rows;
  float* out = output.data.data();
  for (const float token : tokens.data) {
    const auto row = static_cast<std::int64_t>(token);
    if (static_cast<float>(row) != token || row < -rows || row >= rows)
      throw InputError("token '" + std::to_string(token) + "' has no row in a table of " + std::to_string(rows) +
                       "; whole numbers from 0 to " + std::to_string(rows - 1) +
                       " are allowed. Use the data that the network was trained for.");
    std::copy_n(table_.data.data() + (row < 0 ? row + rows : row) * width, width, out);
    out += width;
  }
  return output;
}

void import_gather(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const std::int64_t axis = context.integer("axis", 0);
  if (context.is_constant(0)) {
    if (any_axis(axis, shape.size()) != 0)
      throw InputError("reads a table along axis '" + std::to_string(axis) + "'; 0 is supported.");
    context.emit(std::make_shared<const Embedding>(context.constant(0)), {context.any_value(1)});
    return;
  }
  const std::size_t along = sample_axis(axis, shape);
  IntTensor indices = context.integer_tensor(1);
  for (std::int64_t& index : indices.data) {
    if (index < -shape[along] || index >= shape[along])
      throw InputError("reads entry '" + std::to_string(index) + "' of a dimension of " + std::to_string(shape[along]) +
                       ".");
    if (index < 0) index += shape[along];
  }
  context.emit(std::make_shared<const Select>(along, indices.shape, std::move(indices.data)), {context.any_value(0)});
}

}  // namespace tellegen::models
