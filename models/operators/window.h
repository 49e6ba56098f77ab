#pragma once
// A window that slides over height and width: what convolutions and pools have in common. Index 0 is height, 1 is
// width.

#include <array>
#include <cstdint>
#include <string>

#include "tellegen/models/operation.h"

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

struct Window {
  using Pair = std::array<std::int64_t, 2>;
  Pair kernel{1, 1}, stride{1, 1}, dilation{1, 1};
  Pair pad_begin{0, 0}, pad_end{0, 0};
  bool ceil_mode = false;  ///< whether a last window that is only partly inside counts
  /// How far the window reaches along `axis`, holes of the dilation included.
  std::int64_t extent(int axis) const { return (kernel[axis] - 1) * dilation[axis] + 1; }
  /// Number of positions along `axis` of an input of `size`; below 1 where the window does not fit.
  std::int64_t positions(int axis, std::int64_t size) const;
  /// Whether every position sees one pixel, its own.
  bool is_pointwise() const;
  /// "3x3"
  std::string text() const;
};

/// A signal (batch x channels x length) as an image of height 1; images stay.
Shape image_shape(const Shape& input);

/// Reads kernel_shape, strides, pads, auto_pad, dilations of a node whose input is an image [batch, channels, height,
/// width] or a signal. `kernel` is what the weights say, {0, 0} where there are none. Throws InputError.
Window read_window(onnx::ImportContext& context, const Shape& input, Window::Pair kernel);

/// The node's first output is what `operation`, which works on images, makes of its first input.
void emit_on_image(onnx::ImportContext& context, std::shared_ptr<const Operation> operation);

/// Shape after the window has slid over `input`, with `channels`. Throws InputError unless it fits and the rank is 4.
Shape windowed_shape(const Window& window, const Shape& input, std::int64_t channels);

/// The window along one axis cut to the input: indices into the kernel that fall inside.
struct Clipped {
  std::int64_t start = 0;            ///< input coordinate of kernel index 0, may be negative
  std::int64_t first = 0, last = 0;  ///< kernel indices first .. last - 1 are inside
};
Clipped clip_window(const Window& window, int axis, std::int64_t position, std::int64_t size);

/// Throws InputError where a window on `input` [batch, channels, height, width] lies wholly in the padding: a pool over
/// nothing has no value.
void check_windows_see_input(const Window& window, const Shape& input);

}  // namespace tellegen::models
