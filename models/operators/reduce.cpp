#include "tellegen/models/operators/reduce.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/models/operators/map.h"

namespace tellegen::models {

namespace {

using Kind = Reduce::Kind;

/// One dimension, which becomes 1; sums in double.
template <class Combine>
Tensor reduce_axis(const Tensor& input, std::size_t axis, Combine combine) {
  Tensor output;
  output.shape = input.shape;
  output.shape[axis] = 1;
  const AxisSplit split = split_at(input.shape, axis, axis);
  output.data.reserve(static_cast<std::size_t>(split.outer * split.inner));
  for (std::int64_t outer = 0; outer < split.outer; ++outer) {
    for (std::int64_t inner = 0; inner < split.inner; ++inner) {
      const float* in = input.data.data() + outer * split.size * split.inner + inner;
      double result = in[0];
      for (std::int64_t i = 1; i < split.size; ++i) result = combine(result, static_cast<double>(in[i * split.inner]));
      output.data.push_back(static_cast<float>(result));
    }
  }
  return output;
}

Tensor reduce_axis(const Tensor& input, std::size_t axis, Kind kind) {
  if (kind == Kind::maximum) return reduce_axis(input, axis, [](double a, double b) { return std::max(a, b); });
  if (kind == Kind::minimum) return reduce_axis(input, axis, [](double a, double b) { return std::min(a, b); });
  return reduce_axis(input, axis, [](double a, double b) { return a + b; });
}

/// Axes are an input from `opset` on, an attribute before; none are all.
void import_reduce(onnx::ImportContext& context, Kind kind, int opset) {
  const Shape shape = context.shape(0);
  std::vector<std::int64_t> named;
  if (context.opset() < opset)
    named = context.integers("axes", std::vector<std::int64_t>{});
  else if (context.has_input(1))
    named = context.integers(1);
  const bool nothing = context.integer("noop_with_empty_axes", 0) != 0;
  const bool keep = context.integer("keepdims", 1) != 0;
  if (named.empty() && nothing) {
    context.forward();
    return;
  }
  std::set<std::size_t> axes;
  for (const std::int64_t axis : named) axes.insert(sample_axis(axis, shape));
  if (named.empty())
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      axes.insert(sample_axis(static_cast<std::int64_t>(axis), shape));
  const ValueId input = context.value(0);
  context.emit(std::make_shared<const Reduce>(kind, std::vector<std::size_t>(axes.begin(), axes.end()), keep), {input});
}

}  // namespace

std::string Reduce::label() const {
  switch (kind_) {
    case Kind::mean:
      return "mean";
    case Kind::sum:
      return "sum";
    case Kind::sum_square:
      return "sum of squares";
    case Kind::l2:
      return "norm";
    case Kind::maximum:
      return "maximum over dimensions";
    case Kind::minimum:
      return "minimum over dimensions";
  }
  return {};
}

/// Counted per output, like pools.
std::string Reduce::digital_unit() const {
  return kind_ == Kind::maximum || kind_ == Kind::minimum ? "max_pool" : "average_pool";
}

Shape Reduce::output_shape(std::span<const Shape> inputs) const {
  Shape shape = inputs[0];
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    if (keep_)
      shape[*axis] = 1;
    else
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*axis));
  }
  return shape;
}

Tensor Reduce::run(std::span<const Tensor* const> inputs) const {
  const bool squares = kind_ == Kind::sum_square || kind_ == Kind::l2;
  Tensor result = squares ? map(*inputs[0], [](float x) { return x * x; }) : *inputs[0];
  std::int64_t count = 1;
  for (const std::size_t axis : axes_) {
    count *= result.shape[axis];
    result = reduce_axis(result, axis, kind_);
  }
  if (kind_ == Kind::mean)
    for (float& value : result.data) value /= static_cast<float>(count);
  if (kind_ == Kind::l2)
    for (float& value : result.data) value = std::sqrt(value);
  result.shape = output_shape(std::span<const Shape>(&inputs[0]->shape, 1));
  return result;
}

void import_reduce_mean(onnx::ImportContext& context) { import_reduce(context, Kind::mean, 18); }
void import_reduce_sum(onnx::ImportContext& context) { import_reduce(context, Kind::sum, 13); }
void import_reduce_sum_square(onnx::ImportContext& context) { import_reduce(context, Kind::sum_square, 18); }
void import_reduce_l2(onnx::ImportContext& context) { import_reduce(context, Kind::l2, 18); }
void import_reduce_max(onnx::ImportContext& context) { import_reduce(context, Kind::maximum, 18); }
void import_reduce_min(onnx::ImportContext& context) { import_reduce(context, Kind::minimum, 18); }

}  // namespace tellegen::models
