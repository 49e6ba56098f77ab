#include "tellegen/models/operators/max_pool.h"

#include <algorithm>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/taps.h"

namespace tellegen::models {

Tensor MaxPool::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&input.shape, 1));
  output.data.assign(static_cast<std::size_t>(element_count(output.shape)), std::numeric_limits<float>::lowest());
  const std::int64_t height = input.shape[2], width = input.shape[3], lines = output.shape[2], across = output.shape[3];
  const std::int64_t stride = window_.stride[1];
  std::vector<float> tall(static_cast<std::size_t>(lines * width));  // maxima over the height of the windows
  for (std::int64_t plane = 0; plane < input.shape[0] * input.shape[1]; ++plane) {
    std::fill(tall.begin(), tall.end(), std::numeric_limits<float>::lowest());
    for (std::int64_t y = 0; y < window_.kernel[0]; ++y)
      for_each_line(window_, height, lines, y, [&](std::int64_t line, std::int64_t source) {
        const float* in = input.data.data() + (plane * height + source) * width;
        float* out = tall.data() + line * width;
        for (std::int64_t at = 0; at < width; ++at) out[at] = std::max(out[at], in[at]);
      });
    for (std::int64_t x = 0; x < window_.kernel[1]; ++x) {
      const ValidPositions valid = valid_positions(window_, 1, x, width, across);
      for (std::int64_t line = 0; line < lines; ++line) {
        const float* in = tall.data() + line * width + x * window_.dilation[1] - window_.pad_begin[1];
        float* out = output.data.data() + (plane * lines + line) * across;
        for (std::int64_t at = valid.first; at < valid.last; ++at) out[at] = std::max(out[at], in[at * stride]);
      }
    }
  }
  return output;
}

void import_max_pool(onnx::ImportContext& context) {
  Window window = read_window(context, context.shape(0), {0, 0});
  window.ceil_mode = context.integer("ceil_mode", 0) != 0;
  if (context.integer("storage_order", 0) != 0) throw InputError("has storage_order '1'; 0 is supported.");
  check_windows_see_input(window, image_shape(context.shape(0)));
  emit_on_image(context, std::make_shared<const MaxPool>(window));
}

}  // namespace tellegen::models
