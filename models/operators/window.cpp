#include "tellegen/models/operators/window.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/reshape.h"

namespace tellegen::models {

namespace {

constexpr std::int64_t kGreatestExtent = 1 << 16;  // keeps every sum of these far from overflow

/// Along the height of a signal nothing happens: `line` says that only numbers of the length are written.
Window::Pair read_pair(onnx::ImportContext& context, const char* name, Window::Pair otherwise, bool line) {
  std::vector<std::int64_t> values = context.integers(name, {otherwise[0], otherwise[1]});
  if (line && values.size() == 1) values.insert(values.begin(), 1);
  const bool fits = values.size() == 2 &&
                    std::all_of(values.begin(), values.end(), [](auto v) { return v >= 1 && v <= kGreatestExtent; });
  if (!fits)
    throw InputError("has " + std::string(name) + " '" + to_string(values) + "'; " +
                     (line ? "one number" : "two numbers") + " from 1 to " + std::to_string(kGreatestExtent) +
                     (line ? " is allowed." : " are allowed."));
  return {values[0], values[1]};
}

void read_pads(onnx::ImportContext& context, Window& window, bool line) {
  std::vector<std::int64_t> pads = context.integers("pads", {0, 0, 0, 0});
  if (line && pads.size() == 2) pads = {0, pads[0], 0, pads[1]};
  const bool fits =
      pads.size() == 4 && std::all_of(pads.begin(), pads.end(), [](auto v) { return v >= 0 && v <= kGreatestExtent; });
  if (!fits)
    throw InputError("has pads '" + to_string(pads) + "'; " + (line ? "two" : "four") + " numbers from 0 to " +
                     std::to_string(kGreatestExtent) + " are allowed.");
  window.pad_begin = {pads[0], pads[1]};
  window.pad_end = {pads[2], pads[3]};
}

/// As many positions as the input has strides; an odd pad goes to the end for SAME_UPPER, to the beginning for
/// SAME_LOWER.
void pad_to_same(Window& window, const Shape& input, bool upper) {
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t size = input[2 + axis], positions = (size + window.stride[axis] - 1) / window.stride[axis];
    const std::int64_t total =
        std::max<std::int64_t>((positions - 1) * window.stride[axis] + window.extent(axis) - size, 0);
    const std::int64_t lesser = total / 2;
    window.pad_begin[axis] = upper ? lesser : total - lesser;
    window.pad_end[axis] = total - window.pad_begin[axis];
  }
}

void check_rank(const Shape& input) {
  if (input.size() != 4)
    throw InputError("has an input of shape '" + to_string(input) + "'; batch x channels x height x width is needed.");
}

}  // namespace

std::int64_t Window::positions(int axis, std::int64_t size) const {
  const std::int64_t room = size + pad_begin[axis] + pad_end[axis] - extent(axis);
  if (room < 0) return 0;
  if (!ceil_mode) return room / stride[axis] + 1;
  const std::int64_t count = (room + stride[axis] - 1) / stride[axis] + 1;
  // A window that would start behind the input and its padding at the beginning sees nothing.
  return (count - 1) * stride[axis] >= size + pad_begin[axis] ? count - 1 : count;
}

bool Window::is_pointwise() const {
  const Pair one{1, 1}, none{0, 0};
  return kernel == one && stride == one && pad_begin == none && pad_end == none;
}

std::string Window::text() const { return std::to_string(kernel[0]) + "x" + std::to_string(kernel[1]); }

Shape image_shape(const Shape& input) {
  Shape shape = input;
  if (shape.size() == 3) shape.insert(shape.begin() + 2, 1);
  check_rank(shape);
  return shape;
}

void emit_on_image(onnx::ImportContext& context, std::shared_ptr<const Operation> operation) {
  const Shape input = context.shape(0), image = image_shape(input);
  if (!input.empty() && !is_batch(input[0]) && batch_axis(input) < input.size())
    throw InputError("has an input of shape '" + to_string(input) + "'; the batch must be its first dimension.");
  if (input.size() == 4) {
    context.emit(std::move(operation), {context.value(0)});
    return;
  }
  const ValueId lifted =
      context.compute(std::make_shared<const Reshape>("reshape", image), {context.value(0)}, "as image");
  const ValueId result = context.compute(std::move(operation), {lifted});
  Shape output = context.shape_of(result);
  output.erase(output.begin() + 2);
  context.bind(0,
               context.compute(std::make_shared<const Reshape>("reshape", std::move(output)), {result}, "as signal"));
}

Window read_window(onnx::ImportContext& context, const Shape& signal, Window::Pair kernel) {
  const Shape input = image_shape(signal);
  const bool line = signal.size() == 3;
  Window window;
  window.kernel = read_pair(context, "kernel_shape", kernel, line);
  if (kernel[0] != 0 && window.kernel != kernel)
    throw InputError("has kernel_shape '" + window.text() + "' and weights of " + std::to_string(kernel[0]) + "x" +
                     std::to_string(kernel[1]) + ".");
  window.stride = read_pair(context, "strides", {1, 1}, line);
  window.dilation = read_pair(context, "dilations", {1, 1}, line);
  read_pads(context, window, line);
  const std::string automatic = context.text("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
    pad_to_same(window, input, automatic == "SAME_UPPER");
  else if (automatic == "VALID")
    window.pad_begin = window.pad_end = {0, 0};
  else if (automatic != "NOTSET")
    throw InputError("has auto_pad '" + automatic + "'; NOTSET, VALID, SAME_UPPER and SAME_LOWER are allowed.");
  return window;
}

Shape windowed_shape(const Window& window, const Shape& input, std::int64_t channels) {
  check_rank(input);
  Shape output{input[0], channels, window.positions(0, input[2]), window.positions(1, input[3])};
  if (output[2] < 1 || output[3] < 1)
    throw InputError("has a window of " + window.text() + " that does not fit an input of shape '" + to_string(input) +
                     "'.");
  return output;
}

void check_windows_see_input(const Window& window, const Shape& input) {
  check_rank(input);
  for (int axis = 0; axis < 2; ++axis) {
    const std::int64_t size = input[2 + axis], positions = window.positions(axis, size);
    for (std::int64_t position = 0; position < positions; ++position) {
      const Clipped clipped = clip_window(window, axis, position, size);
      if (clipped.first == clipped.last)
        throw InputError("has a window of " + window.text() + " that lies wholly in the padding at " +
                         (axis == 0 ? "row " : "column ") + std::to_string(position) +
                         " of the output, where nothing is to pool. Use pads below the kernel_shape.");
    }
  }
}

Clipped clip_window(const Window& window, int axis, std::int64_t position, std::int64_t size) {
  const std::int64_t step = window.dilation[axis];
  Clipped clipped;
  clipped.start = position * window.stride[axis] - window.pad_begin[axis];
  clipped.first = clipped.start >= 0 ? 0 : std::min((-clipped.start + step - 1) / step, window.kernel[axis]);
  const std::int64_t room = size - clipped.start;
  clipped.last =
      room <= 0 ? clipped.first : std::max(clipped.first, std::min((room + step - 1) / step, window.kernel[axis]));
  return clipped;
}

}  // namespace tellegen::models
