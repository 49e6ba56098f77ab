#include "tellegen/models/operators/im2col.h"

#include <algorithm>
#include <vector>

namespace tellegen::models {

namespace {

constexpr std::int64_t kTile = 16;  // floats of one cache line

/// out[columns][rows] (leading dimension out_stride) = in[rows][columns] transposed, in tiles that stay in cache.
void transpose(const float* in, std::int64_t rows, std::int64_t columns, std::int64_t in_stride, float* out,
               std::int64_t out_stride) {
  for (std::int64_t row0 = 0; row0 < rows; row0 += kTile) {
    const std::int64_t row1 = std::min(row0 + kTile, rows);
    for (std::int64_t column = 0; column < columns; ++column) {
      const float* source = in + column;
      float* target = out + column * out_stride;
      for (std::int64_t row = row0; row < row1; ++row) target[row] = source[row * in_stride];
    }
  }
}

/// Calls body(image, position, run, done) for the runs of rows that lie in one image; `done` rows came before.
template <class Body>
void for_each_image(std::int64_t first, std::int64_t count, std::int64_t positions, Body body) {
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t image = (first + done) / positions, position = (first + done) % positions;
    const std::int64_t run = std::min(positions - position, count - done);
    body(image, position, run, done);
    done += run;
  }
}

struct Images {
  std::int64_t channels, height, width;
};

/// One patch that lies wholly inside the image and has no holes along its rows. Width is 0 where it is not known when
/// compiling.
template <std::int64_t Width>
float* copy_inside(const Window& window, const Images& images, const float* corner, float* out) {
  const std::int64_t width = Width == 0 ? window.kernel[1] : Width;
  for (std::int64_t channel = 0; channel < images.channels; ++channel) {
    const float* row = corner + channel * images.height * images.width;
    for (std::int64_t y = 0; y < window.kernel[0]; ++y) {
      for (std::int64_t x = 0; x < width; ++x) out[x] = row[x];
      out += width;
      row += window.dilation[0] * images.width;
    }
  }
  return out;
}

float* copy_inside(const Window& window, const Images& images, const float* corner, float* out) {
  switch (window.kernel[1]) {
    case 1:
      return copy_inside<1>(window, images, corner, out);
    case 3:
      return copy_inside<3>(window, images, corner, out);
    case 5:
      return copy_inside<5>(window, images, corner, out);
    default:
      return copy_inside<0>(window, images, corner, out);
  }
}

/// Any patch: what is outside stays zero.
float* copy_clipped(const Window& window, const Images& images, const float* image, const Clipped& vertical,
                    const Clipped& horizontal, float* out) {
  const std::int64_t patch = images.channels * window.kernel[0] * window.kernel[1];
  std::fill_n(out, patch, 0.0F);
  float* target = out;
  for (std::int64_t channel = 0; channel < images.channels; ++channel) {
    const float* plane = image + channel * images.height * images.width;
    for (std::int64_t y = vertical.first; y < vertical.last; ++y) {
      const float* row = plane + (vertical.start + y * window.dilation[0]) * images.width;
      float* target_row = target + y * window.kernel[1];
      for (std::int64_t x = horizontal.first; x < horizontal.last; ++x)
        target_row[x] = row[horizontal.start + x * window.dilation[1]];
    }
    target += window.kernel[0] * window.kernel[1];
  }
  return out + patch;
}

bool is_whole(const Clipped& clipped, std::int64_t kernel) { return clipped.first == 0 && clipped.last == kernel; }

/// Patches position .. position + run - 1 of one image.
void gather_image(const Window& window, const Images& images, const float* image,
                  const std::vector<Clipped>& horizontal, std::int64_t position, std::int64_t run, float* out) {
  const auto columns = static_cast<std::int64_t>(horizontal.size());
  for (std::int64_t done = 0; done < run;) {
    const std::int64_t row = (position + done) / columns, column = (position + done) % columns;
    const std::int64_t end = std::min(columns, column + run - done);
    const Clipped vertical = clip_window(window, 0, row, images.height);
    const bool row_is_whole = window.dilation[1] == 1 && is_whole(vertical, window.kernel[0]);
    const float* corner = row_is_whole ? image + vertical.start * images.width : image;
    for (std::int64_t x = column; x < end; ++x) {
      if (row_is_whole && is_whole(horizontal[x], window.kernel[1]))
        out = copy_inside(window, images, corner + horizontal[x].start, out);
      else
        out = copy_clipped(window, images, image, vertical, horizontal[x], out);
    }
    done += end - column;
  }
}

}  // namespace

void gather_patches(const Window& window, const Shape& shape, const float* data, std::int64_t first, std::int64_t count,
                    float* out) {
  const Images images{shape[1], shape[2], shape[3]};
  const std::int64_t columns = window.positions(1, images.width),
                     positions = window.positions(0, images.height) * columns;
  const std::int64_t image_size = images.channels * images.height * images.width;
  const std::int64_t patch = images.channels * window.kernel[0] * window.kernel[1];
  std::vector<Clipped> horizontal;
  for (std::int64_t x = 0; x < columns; ++x) horizontal.push_back(clip_window(window, 1, x, images.width));
  for_each_image(first, count, positions,
                 [&](std::int64_t index, std::int64_t position, std::int64_t run, std::int64_t done) {
                   const float* image = data + index * image_size;
                   if (window.is_pointwise())
                     transpose(image + position, images.channels, run, positions, out + done * patch, images.channels);
                   else
                     gather_image(window, images, image, horizontal, position, run, out + done * patch);
                 });
}

void scatter_rows(const float* rows, std::int64_t first, std::int64_t count, std::int64_t channels,
                  std::int64_t positions, float* images) {
  for_each_image(first, count, positions,
                 [&](std::int64_t index, std::int64_t position, std::int64_t run, std::int64_t done) {
                   transpose(rows + done * channels, run, channels, channels,
                             images + index * channels * positions + position, positions);
                 });
}

}  // namespace tellegen::models
