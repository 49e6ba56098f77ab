#include "tellegen/models/operators/reshape.h"

#include <algorithm>
#include <set>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

namespace {

[[noreturn]] void refuse_target(const Shape& target, const Shape& input) {
  throw InputError("reshapes '" + to_string(input) + "' to '" + to_string(target) +
                   "'; the number of elements must stay, and samples must stay apart.");
}

/// Elements of the dimensions before the batch; 0 where there is no batch.
std::int64_t count_before_batch(const Shape& shape) {
  const std::size_t axis = batch_axis(shape);
  return axis == shape.size() ? 0 : element_count({shape.begin(), shape.begin() + axis});
}

/// What the shape input means in numbers: 0 copies a dimension, multiples of kSamples grow with the samples. One -1 stays.
Shape read_target(const Shape& wanted, const Shape& input, std::int64_t fixed_batch) {
  Shape target = wanted;
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    std::int64_t& dimension = target[axis];
    if (dimension == 0) {
      if (axis >= input.size()) refuse_target(wanted, input);
      dimension = input[axis] == -1       ? onnx::kSamples
                  : is_batch(input[axis]) ? onnx::kSamples * -input[axis]
                                          : input[axis];
    } else if (axis == 0 && dimension > 0 && dimension == fixed_batch && !input.empty() && input[0] == -1) {
      dimension = onnx::kSamples;
    } else if (dimension < -1 && dimension % onnx::kSamples != 0) {
      refuse_target(wanted, input);
    }
  }
  return target;
}

/// Puts in what the -1 stands for.
Shape resolve_target(const Shape& wanted, const Shape& input, std::int64_t fixed_batch) {
  Shape target = read_target(wanted, input, fixed_batch);
  const auto free = std::find(target.begin(), target.end(), -1);
  if (std::count(target.begin(), target.end(), -1) > 1) refuse_target(wanted, input);
  std::int64_t known = 1;
  for (std::int64_t& dimension : target) {
    if (dimension == -1) continue;
    if (dimension < 0) dimension = -(dimension / onnx::kSamples);
    if (__builtin_mul_overflow(known, dimension, &known)) refuse_target(wanted, input);
  }
  const std::int64_t count = element_count(input);  // negative with a batch
  if (free != target.end()) {
    if (known == 0 || count % known != 0) refuse_target(wanted, input);
    *free = count / known;
    known *= *free;
  }
  const bool batches = std::count_if(target.begin(), target.end(), is_batch) <= 1;
  if (known != count || !batches || count_before_batch(target) != count_before_batch(input))
    refuse_target(wanted, input);
  return target;
}

void emit(onnx::ImportContext& context, const char* label, Shape target) {
  context.emit(std::make_shared<const Reshape>(label, std::move(target)), {context.any_value(0)});
}

/// The axes of Squeeze and Unsqueeze: an input from opset 13 on, an attribute before. False where they are left out.
bool read_axes(onnx::ImportContext& context, std::vector<std::int64_t>& axes) {
  if (context.opset() < 13) {
    const bool given = context.has_attribute("axes");
    axes = context.integers("axes", std::vector<std::int64_t>{});
    return given;
  }
  if (!context.has_input(1)) return false;
  axes = context.integers(1);
  return true;
}

}  // namespace

Shape Reshape::output_shape(std::span<const Shape> inputs) const {
  Shape shape = target_;
  const std::size_t axis = batch_axis(shape);
  if (axis == shape.size()) return shape;
  shape[axis] = 1;
  shape[axis] = element_count(inputs[0]) / element_count(shape);
  return shape;
}

Tensor Reshape::run(std::span<const Tensor* const> inputs) const {
  return {output_shape(std::span<const Shape>(&inputs[0]->shape, 1)), inputs[0]->data};
}

Tensor Reshape::run_taking(Tensor& first, std::span<const Tensor* const>) const {
  Shape shape = output_shape(std::span<const Shape>(&first.shape, 1));
  return {std::move(shape), std::move(first.data)};
}

void import_reshape(onnx::ImportContext& context) {
  const Shape wanted = context.integers(1);
  const bool allows_zero = context.integer("allowzero", 0) != 0;
  if (allows_zero && std::count(wanted.begin(), wanted.end(), 0) > 0) throw InputError("makes an empty tensor.");
  emit(context, "reshape", resolve_target(wanted, context.shape(0), context.fixed_batch()));
}

void import_flatten(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  std::int64_t axis = context.integer("axis", 1);
  if (axis < -rank || axis > rank)
    throw InputError("has axis '" + std::to_string(axis) + "'; " + std::to_string(-rank) + " to " +
                     std::to_string(rank) + " is allowed.");
  if (axis < 0) axis += rank;
  const Shape target{element_count({shape.begin(), shape.begin() + axis}),
                     element_count({shape.begin() + axis, shape.end()})};
  if (count_before_batch(target) != count_before_batch(shape)) refuse_target(target, shape);
  emit(context, "flatten", target);
}

void import_squeeze(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  std::vector<std::int64_t> axes;
  std::set<std::size_t> removed;
  if (read_axes(context, axes)) {
    for (const std::int64_t axis : axes) removed.insert(any_axis(axis, shape.size()));
  } else {
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] == 1) removed.insert(axis);
  }
  Shape target;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (!removed.contains(axis))
      target.push_back(shape[axis]);
    else if (shape[axis] != 1)
      throw InputError("takes out dimension " + std::to_string(axis) + " of shape '" + to_string(shape) +
                       "'; only dimensions of 1 can be.");
  }
  emit(context, "squeeze", std::move(target));
}

void import_unsqueeze(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  std::vector<std::int64_t> axes;
  if (!read_axes(context, axes)) throw InputError("has no axes.");
  const std::size_t rank = shape.size() + axes.size();
  std::set<std::size_t> inserted;
  for (const std::int64_t axis : axes) inserted.insert(any_axis(axis, rank));
  if (inserted.size() != axes.size()) throw InputError("names an axis twice.");
  Shape target;
  for (std::size_t axis = 0, source = 0; axis < rank; ++axis)
    target.push_back(inserted.contains(axis) ? 1 : shape[source++]);
  emit(context, "unsqueeze", std::move(target));
}

void import_identity(onnx::ImportContext& context) { context.forward(); }

void import_dropout(onnx::ImportContext& context) {
  context.ignore("ratio");
  context.ignore("seed");
  if (context.has_input(2)) {
    const std::vector<std::int64_t> training = context.integers(2);
    if (std::count(training.begin(), training.end(), 0) != static_cast<std::ptrdiff_t>(training.size()))
      throw InputError("is in training mode. Export the network for inference.");
  }
  context.forward();
}

}  // namespace tellegen::models
