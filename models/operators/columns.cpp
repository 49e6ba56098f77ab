#include "tellegen/models/operators/columns.h"

#include <algorithm>
#include <vector>

#include "tellegen/models/operators/taps.h"

namespace tellegen::models {

namespace {

bool is_the_image(const Window& window) {
  const Window::Pair one{1, 1}, none{0, 0};
  return window.kernel == one && window.stride == one && window.pad_begin == none && window.pad_end == none;
}

/// The plane with its padding around, as one line after the other, and a kernel's length of zeros behind.
const std::vector<float>& padded(const Window& window, std::int64_t height, std::int64_t width, const float* data) {
  thread_local std::vector<float> plane;
  const std::int64_t wide = width + window.pad_begin[1] + window.pad_end[1],
                     high = height + window.pad_begin[0] + window.pad_end[0];
  plane.assign(static_cast<std::size_t>(high * wide + window.extent(1)), 0.0F);
  for (std::int64_t line = 0; line < height; ++line)
    std::copy_n(data + line * width, width, plane.data() + (line + window.pad_begin[0]) * wide + window.pad_begin[1]);
  return plane;
}

}  // namespace

const float* gather_columns(const Window& window, const Shape& image, const float* data, float* columns) {
  if (is_the_image(window)) return data;
  const std::int64_t height = image[1], width = image[2], across = window.positions(1, width),
                     lines = window.positions(0, height);
  float* row = columns;
  for (std::int64_t channel = 0; channel < image[0]; ++channel)
    for (std::int64_t y = 0; y < window.kernel[0]; ++y)
      for (std::int64_t x = 0; x < window.kernel[1]; ++x, row += lines * across) {
        const ValidPositions valid = valid_positions(window, 1, x, width, across);
        const std::int64_t shift = x * window.dilation[1] - window.pad_begin[1], stride = window.stride[1];
        std::fill_n(row, lines * across, 0.0F);
        for_each_line(window, height, lines, y, [&](std::int64_t line, std::int64_t source) {
          const float* in = data + (channel * height + source) * width + shift;
          float* out = row + line * across;
          if (stride == 1)
            std::copy(in + valid.first, in + valid.last, out + valid.first);
          else
            for (std::int64_t at = valid.first; at < valid.last; ++at) out[at] = in[at * stride];
        });
      }
  return columns;
}

void add_weighted_windows(const Window& window, const Shape& image, const float* data, const float* weights,
                          float* out) {
  const std::int64_t wide = image[2] + window.pad_begin[1] + window.pad_end[1],
                     dense_lines = image[1] + window.pad_begin[0] + window.pad_end[0] - window.extent(0) + 1;
  const std::vector<float>& plane = padded(window, image[1], image[2], data);
  // All positions at once as if the stride were 1: one long loop for each tap. What does not exist is not read.
  thread_local std::vector<float> dense;
  dense.assign(static_cast<std::size_t>(dense_lines * wide), 0.0F);
  const std::int64_t size = dense_lines * wide;
  for (std::int64_t y = 0; y < window.kernel[0]; ++y)
    for (std::int64_t x = 0; x < window.kernel[1]; ++x) {
      const float weight = weights[y * window.kernel[1] + x];
      const float* in = plane.data() + y * window.dilation[0] * wide + x * window.dilation[1];
      float* sums = dense.data();
      for (std::int64_t at = 0; at < size; ++at) sums[at] += weight * in[at];
    }
  const std::int64_t across = window.positions(1, image[2]), lines = window.positions(0, image[1]);
  for (std::int64_t line = 0; line < lines; ++line)
    for (std::int64_t at = 0; at < across; ++at)
      out[line * across + at] += dense[line * window.stride[0] * wide + at * window.stride[1]];
}

}  // namespace tellegen::models
