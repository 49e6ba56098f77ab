#include "tellegen/models/operators/slice.h"

#include <algorithm>
#include <numeric>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

namespace {

/// One dimension cut to a range.
Tensor cut(const Tensor& input, const Slice::Range& range) {
  Tensor output;
  output.shape = input.shape;
  output.shape[range.axis] = range.count;
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  const AxisSplit split = split_at(input.shape, range.axis, range.axis);
  float* out = output.data.data();
  for (std::int64_t outer = 0; outer < split.outer; ++outer) {
    const float* in = input.data.data() + (outer * split.size + range.start) * split.inner;
    const std::int64_t block = range.step == 1 ? range.count * split.inner : split.inner;
    for (std::int64_t at = 0; at < range.count * split.inner; at += block) {
      std::copy_n(in, block, out);
      in += range.step * split.inner;
      out += block;
    }
  }
  return output;
}

/// Numpy's rules for starts and ends outside of the dimension.
Slice::Range read_range(std::size_t axis, std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step) {
  if (step == 0) throw InputError("has a step of '0'; steps forwards or backwards are allowed.");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  const auto place = [&](std::int64_t at) {
    return std::clamp(at < 0 ? std::max(at, -size - 1) + size : at, low, high);
  };
  Slice::Range range{axis, place(start), 0, step};
  const std::int64_t room = step > 0 ? place(end) - range.start : range.start - place(end);
  const std::int64_t stride = step > 0 ? step : step == INT64_MIN ? INT64_MAX : -step;
  range.count = room <= 0 ? 0 : (room - 1) / stride + 1;
  if (range.count <= 1) range.step = 1;
  return range;
}

struct SliceInputs {
  std::vector<std::int64_t> starts, ends, axes, steps;
};

SliceInputs read_inputs(onnx::ImportContext& context) {
  SliceInputs read;
  if (context.opset() < 10) {
    read.starts = context.integers("starts", std::vector<std::int64_t>{});
    read.ends = context.integers("ends", std::vector<std::int64_t>{});
    read.axes = context.integers("axes", std::vector<std::int64_t>{});
  } else {
    read.starts = context.integers(1);
    read.ends = context.integers(2);
    if (context.has_input(3)) read.axes = context.integers(3);
    if (context.has_input(4)) read.steps = context.integers(4);
  }
  if (read.axes.empty()) {
    read.axes.resize(read.starts.size());
    std::iota(read.axes.begin(), read.axes.end(), 0);
  }
  if (read.steps.empty()) read.steps.assign(read.starts.size(), 1);
  const std::size_t size = read.starts.size();
  if (read.ends.size() != size || read.axes.size() != size || read.steps.size() != size)
    throw InputError("has starts, ends, axes and steps of different lengths.");
  return read;
}

/// Sizes of the parts: an input from opset 13 on, an attribute before; left out, the outputs share alike.
std::vector<std::int64_t> read_parts(onnx::ImportContext& context, std::int64_t size) {
  std::vector<std::int64_t> parts;
  if (context.opset() < 13)
    parts = context.integers("split", std::vector<std::int64_t>{});
  else if (context.has_input(1))
    parts = context.integers(1);
  context.ignore("num_outputs");
  const auto count = static_cast<std::int64_t>(context.output_count());
  if (parts.empty()) {
    const std::int64_t part = (size + count - 1) / count;
    parts.assign(static_cast<std::size_t>(count), part);
    parts.back() = size - part * (count - 1);
  }
  const bool sensible = std::all_of(parts.begin(), parts.end(), [&](auto part) { return part >= 1 && part <= size; });
  if (!sensible || static_cast<std::int64_t>(parts.size()) != count ||
      std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) != size)
    throw InputError("splits a dimension of " + std::to_string(size) + " into '" + to_string(parts) + "' for " +
                     std::to_string(count) + " outputs; parts of at least 1 that add up to it are allowed.");
  return parts;
}

}  // namespace

Shape Slice::output_shape(std::span<const Shape> inputs) const {
  Shape shape = inputs[0];
  for (const Range& range : ranges_) shape[range.axis] = range.count;
  return shape;
}

Tensor Slice::run(std::span<const Tensor* const> inputs) const {
  if (ranges_.empty()) return *inputs[0];
  Tensor result = cut(*inputs[0], ranges_[0]);
  for (std::size_t i = 1; i < ranges_.size(); ++i) result = cut(result, ranges_[i]);
  return result;
}

void import_slice(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const SliceInputs read = read_inputs(context);
  std::vector<Slice::Range> ranges;
  for (std::size_t i = 0; i < read.starts.size(); ++i) {
    const std::size_t axis = any_axis(read.axes[i], shape.size());
    const bool whole = read.starts[i] == 0 && read.ends[i] >= INT32_MAX && read.steps[i] == 1;
    if (whole) continue;
    const std::int64_t size = shape[sample_axis(read.axes[i], shape)];
    ranges.push_back(read_range(axis, size, read.starts[i], read.ends[i], read.steps[i]));
  }
  context.emit(std::make_shared<const Slice>(std::move(ranges)), {context.any_value(0)});
}

void import_split(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const std::size_t axis = sample_axis(context.integer("axis", 0), shape);
  const std::vector<std::int64_t> parts = read_parts(context, shape[axis]);
  const ValueId input = context.any_value(0);
  std::int64_t start = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const Slice::Range range{axis, start, parts[part], 1};
    const std::string what = part == 0 ? "" : "part " + std::to_string(part + 1);
    context.bind(part, context.compute(std::make_shared<const Slice>(std::vector{range}), {input}, what));
    start += parts[part];
  }
}

}  // namespace tellegen::models
