#pragma once
// Axis numbers of ONNX: negative ones count from the end.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/models/tensor.h"

namespace tellegen::models {

/// 0 .. rank - 1. Throws InputError.
inline std::size_t any_axis(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size)
    throw InputError("has axis '" + std::to_string(axis) + "'; " + std::to_string(-size) + " to " +
                     std::to_string(size - 1) + " is allowed.");
  return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

/// The same, but not the batch: samples must stay apart.
inline std::size_t sample_axis(std::int64_t axis, const Shape& shape) {
  const std::size_t number = any_axis(axis, shape.size());
  if (is_batch(shape[number]))
    throw InputError("works along axis '" + std::to_string(axis) + "', the batch; samples must stay apart.");
  return number;
}

/// `shape` as {before, at, behind} dimensions first .. last together: what loops over them need.
struct AxisSplit {
  std::int64_t outer = 1, size = 1, inner = 1;
};
inline AxisSplit split_at(const Shape& shape, std::size_t first, std::size_t last) {
  const auto begin = shape.begin();
  return {element_count({begin, begin + first}), element_count({begin + first, begin + last + 1}),
          element_count({begin + last + 1, shape.end()})};
}

}  // namespace tellegen::models
