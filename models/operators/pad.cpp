#include "tellegen/models/operators/pad.h"

#include <algorithm>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

namespace {

constexpr std::int64_t kGreatestPad = 1 << 16;

/// Entry of a dimension of `size` that stands at `at`, which may lie outside; -1 where a number is to be put.
std::int64_t source(Pad::Mode mode, std::int64_t at, std::int64_t size) {
  if (at >= 0 && at < size) return at;
  if (mode == Pad::Mode::constant) return -1;
  if (mode == Pad::Mode::edge) return std::clamp<std::int64_t>(at, 0, size - 1);
  return at < 0 ? -at : 2 * (size - 1) - at;
}

Tensor pad_axis(const Tensor& input, std::size_t axis, std::int64_t before, std::int64_t behind, Pad::Mode mode,
                float value) {
  const AxisSplit split = split_at(input.shape, axis, axis);
  Tensor output;
  output.shape = input.shape;
  output.shape[axis] += before + behind;
  output.data.assign(static_cast<std::size_t>(element_count(output.shape)), value);
  float* out = output.data.data();
  for (std::int64_t outer = 0; outer < split.outer; ++outer)
    for (std::int64_t at = -before; at < split.size + behind; ++at, out += split.inner) {
      const std::int64_t from = source(mode, at, split.size);
      if (from >= 0) std::copy_n(input.data.data() + (outer * split.size + from) * split.inner, split.inner, out);
    }
  return output;
}

Pad::Mode read_mode(onnx::ImportContext& context) {
  const std::string mode = context.text("mode", "constant");
  if (mode == "constant") return Pad::Mode::constant;
  if (mode == "reflect") return Pad::Mode::reflect;
  if (mode == "edge") return Pad::Mode::edge;
  throw InputError("has mode '" + mode + "'; constant, reflect and edge are allowed.");
}

void check_pads(const std::vector<std::int64_t>& pads, std::size_t axes) {
  const bool fits = pads.size() == 2 * axes &&
                    std::all_of(pads.begin(), pads.end(), [](auto p) { return p >= 0 && p <= kGreatestPad; });
  if (!fits)
    throw InputError("has pads '" + to_string(pads) + "'; two numbers from 0 to " + std::to_string(kGreatestPad) +
                     " for each dimension are allowed.");
}

}  // namespace

Shape Pad::output_shape(std::span<const Shape> inputs) const {
  Shape shape = inputs[0];
  for (std::size_t axis = 0; axis < before_.size(); ++axis)
    if (before_[axis] + behind_[axis] > 0) shape[axis] += before_[axis] + behind_[axis];
  return shape;
}

Tensor Pad::run(std::span<const Tensor* const> inputs) const {
  Tensor result = *inputs[0];
  for (std::size_t axis = 0; axis < before_.size(); ++axis)
    if (before_[axis] + behind_[axis] > 0) result = pad_axis(result, axis, before_[axis], behind_[axis], mode_, value_);
  return result;
}

void import_pad(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const Pad::Mode mode = read_mode(context);
  const bool attributes = context.opset() < 11;
  const auto pads = attributes ? context.integers("pads", std::vector<std::int64_t>{}) : context.integers(1);
  float value = attributes ? context.number("value", 0) : 0;
  if (!attributes && context.has_input(2)) {
    const Tensor& given = context.constant(2);
    if (given.size() != 1)
      throw InputError("has a value of shape '" + to_string(given.shape) + "'; one number is allowed.");
    value = given.data[0];
  }
  std::vector<std::size_t> axes;
  if (context.has_input(3))
    for (const std::int64_t axis : context.integers(3)) axes.push_back(any_axis(axis, shape.size()));
  else
    for (std::size_t axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);
  check_pads(pads, axes.size());
  std::vector<std::int64_t> before(shape.size(), 0), behind(shape.size(), 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axes[i];
    before[axis] = pads[i];
    behind[axis] = pads[i + axes.size()];
    if (before[axis] + behind[axis] == 0) continue;
    sample_axis(static_cast<std::int64_t>(axis), shape);
    if (mode == Pad::Mode::reflect && std::max(before[axis], behind[axis]) >= shape[axis])
      throw InputError("mirrors more entries than dimension " + std::to_string(axis) + " of shape '" +
                       to_string(shape) + "' has.");
  }
  context.emit(std::make_shared<const Pad>(mode, value, std::move(before), std::move(behind)), {context.value(0)});
}

}  // namespace tellegen::models
