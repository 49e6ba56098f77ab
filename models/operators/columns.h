#pragma once
// Windows of one image as columns of a matrix: each row is the image shifted by one entry of the kernel, so that whole
// lines are copied at once.

#include "tellegen/models/operators/window.h"

namespace tellegen::models {

/// [channels * kernel_h * kernel_w][positions] of an image [channels, height, width], zeros outside; in `columns`, or the
/// image itself where it is the same.
const float* gather_columns(const Window& window, const Shape& image, const float* data, float* columns);

/// out[position] += sum over the window of weights * image, of one channel.
void add_weighted_windows(const Window& window, const Shape& image, const float* data, const float* weights,
                          float* out);

}  // namespace tellegen::models
