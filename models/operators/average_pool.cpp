#include "tellegen/models/operators/average_pool.h"

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/pool.h"

namespace tellegen::models {

Tensor AveragePool::run(std::span<const Tensor* const> inputs) const {
  const std::int64_t width = inputs[0]->shape[3];
  return pool(window_, *inputs[0], [&](const float* plane, const Clipped& vertical, const Clipped& horizontal) {
    float sum = 0;
    for_each_in_window(window_, plane, width, vertical, horizontal, [&](float value) { sum += value; });
    const std::int64_t inside = (vertical.last - vertical.first) * (horizontal.last - horizontal.first);
    return sum / static_cast<float>(count_padding_ ? window_.kernel[0] * window_.kernel[1] : inside);
  });
}

Shape GlobalAveragePool::output_shape(std::span<const Shape> inputs) const {
  if (inputs[0].size() < 3)
    throw InputError("has an input of shape '" + to_string(inputs[0]) +
                     "'; batch x channels and further dimensions are needed.");
  Shape shape(inputs[0].size(), 1);
  shape[0] = inputs[0][0];
  shape[1] = inputs[0][1];
  return shape;
}

Tensor GlobalAveragePool::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&input.shape, 1));
  const std::int64_t planes = input.shape[0] * input.shape[1], size = input.size() / planes;
  output.data.reserve(static_cast<std::size_t>(planes));
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    double sum = 0;
    for (std::int64_t i = plane * size; i < (plane + 1) * size; ++i) sum += input.data[i];
    output.data.push_back(static_cast<float>(sum / static_cast<double>(size)));
  }
  return output;
}

void import_average_pool(onnx::ImportContext& context) {
  Window window = read_window(context, context.shape(0), {0, 0});
  window.ceil_mode = context.integer("ceil_mode", 0) != 0;
  const bool count_padding = context.integer("count_include_pad", 0) != 0;
  context.emit(std::make_shared<const AveragePool>(window, count_padding), {context.value(0)});
}

void import_global_average_pool(onnx::ImportContext& context) {
  context.emit(std::make_shared<const GlobalAveragePool>(), {context.value(0)});
}

}  // namespace tellegen::models
