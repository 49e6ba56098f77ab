#include "tellegen/models/operators/max_pool.h"

#include <algorithm>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/pool.h"

namespace tellegen::models {

Tensor MaxPool::run(std::span<const Tensor* const> inputs) const {
  const std::int64_t width = inputs[0]->shape[3];
  return pool(window_, *inputs[0], [&](const float* plane, const Clipped& vertical, const Clipped& horizontal) {
    float largest = std::numeric_limits<float>::lowest();
    for_each_in_window(window_, plane, width, vertical, horizontal,
                       [&](float value) { largest = std::max(largest, value); });
    return largest;
  });
}

void import_max_pool(onnx::ImportContext& context) {
  Window window = read_window(context, context.shape(0), {0, 0});
  window.ceil_mode = context.integer("ceil_mode", 0) != 0;
  if (context.integer("storage_order", 0) != 0) throw InputError("has storage_order '1'; 0 is supported.");
  check_windows_see_input(window, image_shape(context.shape(0)));
  emit_on_image(context, std::make_shared<const MaxPool>(window));
}

}  // namespace tellegen::models
