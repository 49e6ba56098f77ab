// Patches and their way back, against the plainest loops.

#include "tellegen/models/operators/im2col.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tellegen/models/operators/convolution.h"

namespace tellegen::models {
namespace {

std::vector<float> count_up(std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

/// One element of the patch matrix, straight from the definition.
float patch_element(const Window& w, const Shape& shape, const std::vector<float>& data, std::int64_t row,
                    std::int64_t column) {
  const std::int64_t columns = w.positions(1, shape[3]), positions = w.positions(0, shape[2]) * columns;
  const std::int64_t image = row / positions, oy = row % positions / columns, ox = row % positions % columns;
  const std::int64_t channel = column / (w.kernel[0] * w.kernel[1]), ky = column / w.kernel[1] % w.kernel[0],
                     kx = column % w.kernel[1];
  const std::int64_t y = oy * w.stride[0] - w.pad_begin[0] + ky * w.dilation[0],
                     x = ox * w.stride[1] - w.pad_begin[1] + kx * w.dilation[1];
  if (y < 0 || x < 0 || y >= shape[2] || x >= shape[3]) return 0;
  return data[((image * shape[1] + channel) * shape[2] + y) * shape[3] + x];
}

/// With ceil_mode a last window counts that is partly inside, but none that starts behind the input and its first pad.
TEST(Window, CountsPositionsRoundedUp) {
  const auto positions = [](std::int64_t kernel, std::int64_t stride, std::int64_t pad, std::int64_t size) {
    return Window{{1, kernel}, {1, stride}, {1, 1}, {0, pad}, {0, pad}, true}.positions(1, size);
  };
  EXPECT_EQ(positions(3, 2, 0, 6), 3) << "starts at 0, 2 and 4; the last sees two of three";
  EXPECT_EQ(positions(1, 2, 0, 2), 1) << "a second one would start at 2, behind the input";
  EXPECT_EQ(positions(2, 3, 1, 5), 2) << "a third one would start at 5, in the last pad";
  EXPECT_EQ((Window{{1, 3}, {1, 2}}.positions(1, 6)), 2) << "rounded down";
}

struct Case {
  const char* name;
  Window window;
  Shape images;
};

class Im2col : public testing::TestWithParam<Case> {};

TEST_P(Im2col, EqualsTheDefinitionForEveryBlock) {
  const auto& [name, window, shape] = GetParam();
  const std::vector<float> data = count_up(element_count(shape));
  const std::int64_t total = shape[0] * window.positions(0, shape[2]) * window.positions(1, shape[3]);
  const std::int64_t width = shape[1] * window.kernel[0] * window.kernel[1];
  for (const std::int64_t block : {std::int64_t{1}, std::int64_t{7}, std::int64_t{64}, total}) {
    for (std::int64_t first = 0; first < total; first += block) {
      const std::int64_t count = std::min(block, total - first);
      std::vector<float> rows(static_cast<std::size_t>(count * width) + 1, -1.0F);
      gather_patches(window, shape, data.data(), first, count, rows.data());
      EXPECT_EQ(rows.back(), -1.0F) << "wrote behind the block";
      for (std::int64_t i = 0; i < count * width; ++i)
        ASSERT_EQ(rows[i], patch_element(window, shape, data, first + i / width, i % width)) << first << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Windows, Im2col,
    testing::Values(Case{"pointwise", {}, {3, 20, 5, 7}}, Case{"pointwise_strided", {{1, 1}, {2, 2}}, {2, 3, 5, 7}},
                    Case{"three", {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, {2, 3, 6, 5}},
                    Case{"three_strided", {{3, 3}, {2, 2}, {1, 1}, {1, 0}, {0, 1}}, {2, 3, 7, 8}},
                    Case{"five", {{5, 5}}, {2, 2, 9, 8}},
                    Case{"wide", {{2, 7}, {1, 2}, {1, 1}, {1, 3}, {1, 3}}, {2, 2, 4, 9}},
                    Case{"dilated", {{3, 2}, {1, 1}, {2, 3}, {2, 3}, {2, 3}}, {2, 2, 8, 9}},
                    Case{"dilated_rows", {{3, 3}, {1, 1}, {2, 1}, {2, 1}, {2, 1}}, {2, 2, 8, 9}},
                    Case{"wider_than_image", {{5, 5}, {1, 1}, {1, 1}, {4, 4}, {4, 4}}, {2, 2, 2, 3}}),
    [](const auto& parameter) { return parameter.param.name; });

TEST(ScatterRows, PutsEveryProductInItsPlace) {
  const std::int64_t images = 3, channels = 19, positions = 35;
  const std::vector<float> rows = count_up(images * channels * positions);
  for (const std::int64_t block : {1, 16, 40, 105}) {
    std::vector<float> output(rows.size(), 0.0F);
    for (std::int64_t first = 0; first < images * positions; first += block)
      scatter_rows(rows.data() + first * channels, first, std::min(block, images * positions - first), channels,
                   positions, output.data());
    for (std::int64_t i = 0; i < images * channels * positions; ++i) {
      const std::int64_t image = i / (channels * positions), channel = i / positions % channels,
                         position = i % positions;
      ASSERT_EQ(output[i], rows[(image * positions + position) * channels + channel]) << block << " " << i;
    }
  }
}

/// Groups stand side by side in a patch row: the product of a group reads its own channels.
TEST(Convolution, GroupsReadTheirOwnChannels) {
  const Convolution convolution({}, 2, 2, {1, 10, 100, 1000, 2, 20, 3, 30}, {});
  EXPECT_EQ(convolution.rows_per_group(), 2);
  EXPECT_EQ(convolution.outputs_per_group(), 2);
  EXPECT_EQ(convolution.label(), "grouped conv 1x1");
  const Tensor input{{1, 4, 1, 1}, {1, 2, 3, 4}};
  const Tensor* inputs[] = {&input};
  EXPECT_EQ(convolution.run(inputs).data, (std::vector<float>{21, 2100, 86, 129}));
}

}  // namespace
}  // namespace tellegen::models
