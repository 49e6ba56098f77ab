#include "tellegen/models/operators/average_pool.h"

#include <algorithm>
#include <array>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/pool.h"

namespace tellegen::models {

namespace {

/// Elements of the window along `axis` that lie in the input or its padding: with ceil_mode the last window may reach
/// beyond both.
std::int64_t taps_in_padding(const Window& window, int axis, const Clipped& clipped, std::int64_t size) {
  const std::int64_t room = size + window.pad_end[axis] - clipped.start;
  return std::min(window.kernel[axis], (room + window.dilation[axis] - 1) / window.dilation[axis]);
}

/// Four sums side by side, so that none waits for the one before.
double sum(std::span<const float> values) {
  std::array<double, 4> lanes{};
  std::size_t at = 0;
  for (; at + lanes.size() <= values.size(); at += lanes.size())
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] += values[at + lane];
  for (; at < values.size(); ++at) lanes[0] += values[at];
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

}  // namespace

Tensor AveragePool::run(std::span<const Tensor* const> inputs) const {
  const std::int64_t height = inputs[0]->shape[2], width = inputs[0]->shape[3];
  return pool(window_, *inputs[0], [&](const float* plane, const Clipped& vertical, const Clipped& horizontal) {
    float sum = 0;
    for_each_in_window(window_, plane, width, vertical, horizontal, [&](float value) { sum += value; });
    const std::int64_t rows =
        count_padding_ ? taps_in_padding(window_, 0, vertical, height) : vertical.last - vertical.first;
    const std::int64_t columns =
        count_padding_ ? taps_in_padding(window_, 1, horizontal, width) : horizontal.last - horizontal.first;
    return sum / static_cast<float>(rows * columns);
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
  for (std::int64_t plane = 0; plane < planes; ++plane)
    output.data.push_back(static_cast<float>(sum({input.data.data() + plane * size, static_cast<std::size_t>(size)}) /
                                             static_cast<double>(size)));
  return output;
}

void import_average_pool(onnx::ImportContext& context) {
  Window window = read_window(context, context.shape(0), {0, 0});
  window.ceil_mode = context.integer("ceil_mode", 0) != 0;
  const bool count_padding = context.integer("count_include_pad", 0) != 0;
  if (!count_padding) check_windows_see_input(window, image_shape(context.shape(0)));
  emit_on_image(context, std::make_shared<const AveragePool>(window, count_padding));
}

void import_global_average_pool(onnx::ImportContext& context) {
  context.emit(std::make_shared<const GlobalAveragePool>(), {context.value(0)});
}

}  // namespace tellegen::models
