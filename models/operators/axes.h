#pragma once
// Axis numbers of ONNX: negative ones count from the end.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tellegen/base/error.h"

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
inline std::size_t sample_axis(std::int64_t axis, std::size_t rank) {
  const std::size_t number = any_axis(axis, rank);
  if (number == 0)
    throw InputError("works along axis '" + std::to_string(axis) + "', the batch; samples must stay apart.");
  return number;
}

}  // namespace tellegen::models
