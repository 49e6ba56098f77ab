#include "tellegen/models/operators/reshape.h"

#include <algorithm>
#include <set>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

namespace {

/// Elements besides the batch.
std::int64_t sample_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t dimension : shape)
    if (dimension != -1) count *= dimension;
  return count;
}

[[noreturn]] void refuse_target(const Shape& target, const Shape& input) {
  throw InputError("reshapes '" + to_string(input) + "' to '" + to_string(target) +
                   "'; the number of elements must stay, and the batch must stay the first dimension.");
}

/// What ONNX's shape input means for `input`: 0 copies a dimension, one -1 is what is left, the first is the batch.
Shape resolve_target(const Shape& wanted, const Shape& input, std::int64_t fixed_batch) {
  Shape target = wanted;
  const bool has_batch = !input.empty() && input[0] == -1;
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    if (target[axis] < -1 || (target[axis] == 0 && axis >= input.size())) refuse_target(wanted, input);
    if (target[axis] == 0) target[axis] = input[axis];
  }
  std::size_t front = 0;
  if (has_batch) {
    if (target.empty()) refuse_target(wanted, input);
    if (target[0] > 0 && target[0] != fixed_batch) refuse_target(wanted, input);
    const bool rest_is_free = std::count(wanted.begin() + 1, wanted.end(), -1) > 0;
    if (wanted[0] == -1 && rest_is_free) refuse_target(wanted, input);
    target[0] = -1;
    front = 1;
  }
  if (std::count(target.begin() + front, target.end(), -1) > 1) refuse_target(wanted, input);
  const auto free = std::find(target.begin() + front, target.end(), -1);
  std::int64_t known = 1;
  for (auto dimension = target.begin() + front; dimension != target.end(); ++dimension)
    if (*dimension != -1 && __builtin_mul_overflow(known, *dimension, &known)) refuse_target(wanted, input);
  if (free != target.end()) {
    if (known == 0 || sample_count(input) % known != 0) refuse_target(wanted, input);
    *free = sample_count(input) / known;
    known *= *free;
  }
  if (known != sample_count(input)) refuse_target(wanted, input);
  return target;
}

void emit(onnx::ImportContext& context, const char* label, Shape target) {
  context.emit(std::make_shared<const Reshape>(label, std::move(target)), {context.value(0)});
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
  if (!shape.empty() && shape[0] == -1) shape[0] = inputs[0][0];
  return shape;
}

Tensor Reshape::run(std::span<const Tensor* const> inputs) const {
  return {output_shape(std::span<const Shape>(&inputs[0]->shape, 1)), inputs[0]->data};
}

void import_reshape(onnx::ImportContext& context) {
  const Shape wanted = context.integers(1);
  const bool allows_zero = context.integer("allowzero", 0) != 0;
  if (allows_zero && std::count(wanted.begin(), wanted.end(), 0) > 0) throw InputError("makes an empty tensor.");
  emit(context, "reshape", resolve_target(wanted, context.shape(0), context.fixed_batch()));
}

void import_flatten(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const std::int64_t axis = context.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (axis != 1 && axis + rank != 1)
    throw InputError("has axis '" + std::to_string(axis) + "'; 1 is supported, for samples must stay apart.");
  emit(context, "flatten", {shape.at(0), sample_count({shape.begin() + 1, shape.end()})});
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
  if (inserted.contains(0) && !shape.empty() && shape[0] == -1)
    throw InputError("moves the batch from the front; samples must stay apart.");
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
