#pragma once
// Where one entry of a window (a tap) sees the input: the loops of fast convolutions and pools go over taps, and so over
// whole lines.

#include <algorithm>

#include "tellegen/models/operators/window.h"

namespace tellegen::models {

/// Positions along one axis at which the entry `tap` of the kernel falls into the input: first .. last - 1.
struct ValidPositions {
  std::int64_t first = 0, last = 0;
};
inline ValidPositions valid_positions(const Window& window, int axis, std::int64_t tap, std::int64_t size,
                                      std::int64_t positions) {
  const std::int64_t start = tap * window.dilation[axis] - window.pad_begin[axis], stride = window.stride[axis];
  const std::int64_t first = std::min(start >= 0 ? 0 : (-start + stride - 1) / stride, positions);
  const std::int64_t last = size - start <= 0 ? 0 : (size - start - 1) / stride + 1;
  return {first, std::clamp(last, first, positions)};
}

/// Calls body(output line, input line) for the lines that tap `y` reaches; `height` of the input.
template <class Body>
void for_each_line(const Window& window, std::int64_t height, std::int64_t lines, std::int64_t y, Body body) {
  const ValidPositions valid = valid_positions(window, 0, y, height, lines);
  for (std::int64_t line = valid.first; line < valid.last; ++line)
    body(line, line * window.stride[0] + y * window.dilation[0] - window.pad_begin[0]);
}

}  // namespace tellegen::models
