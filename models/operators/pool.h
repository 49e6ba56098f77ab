#pragma once
// The loop over windows that all pools share.

#include <vector>

#include "tellegen/models/operators/window.h"

namespace tellegen::models {

/// output[n, c, oy, ox] = reduce(plane of n and c, vertical, horizontal): `reduce` sees the window cut to the input.
template <class Reduce>
Tensor pool(const Window& window, const Tensor& input, Reduce reduce) {
  Tensor output;
  output.shape = windowed_shape(window, input.shape, input.shape[1]);
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  const std::int64_t height = input.shape[2], width = input.shape[3], rows = output.shape[2], columns = output.shape[3];
  std::vector<Clipped> horizontal;
  for (std::int64_t x = 0; x < columns; ++x) horizontal.push_back(clip_window(window, 1, x, width));
  float* out = output.data.data();
  for (std::int64_t plane = 0; plane < input.shape[0] * input.shape[1]; ++plane) {
    const float* data = input.data.data() + plane * height * width;
    for (std::int64_t y = 0; y < rows; ++y) {
      const Clipped vertical = clip_window(window, 0, y, height);
      for (std::int64_t x = 0; x < columns; ++x) *out++ = reduce(data, vertical, horizontal[x]);
    }
  }
  return output;
}

/// Calls body(value) for the elements of a cut window.
template <class Body>
void for_each_in_window(const Window& window, const float* plane, std::int64_t width, const Clipped& vertical,
                        const Clipped& horizontal, Body body) {
  for (std::int64_t y = vertical.first; y < vertical.last; ++y) {
    const float* row = plane + (vertical.start + y * window.dilation[0]) * width;
    for (std::int64_t x = horizontal.first; x < horizontal.last; ++x)
      body(row[horizontal.start + x * window.dilation[1]]);
  }
}

}  // namespace tellegen::models
