#pragma once
// Patches of images as rows of a matrix, and product rows back into images. Both run for every product, so they are
// tuned: see tests/unit/models/im2col_test.cpp for what they must equal.

#include <cstdint>

#include "tellegen/models/operators/window.h"

namespace tellegen::models {

/// out[count][channels * kernel_h * kernel_w], row-major: patch rows first .. first + count - 1 of images [n, channels,
/// h, w]; row number = image * positions + position. Outside the image stands 0.
void gather_patches(const Window& window, const Shape& images, const float* data, std::int64_t first,
                    std::int64_t count, float* out);

/// images[n][channels][positions] from rows first .. first + count - 1 of rows[.][channels].
void scatter_rows(const float* rows, std::int64_t first, std::int64_t count, std::int64_t channels,
                  std::int64_t positions, float* images);

}  // namespace tellegen::models
