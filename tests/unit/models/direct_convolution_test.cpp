// Convolutions by oneDNN against products of patches, and image by image to the bit.

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/models/operators/convolution.h"

namespace tellegen::models {
namespace {

std::vector<float> normals(std::int64_t size, std::uint32_t part) {
  std::vector<float> values(static_cast<std::size_t>(size));
  Stream(2, Purpose::test, {0, 0, part}).normals(0, values);
  return values;
}

struct Case {
  const char* name;
  Window window;
  std::int64_t groups, channels, outputs;  ///< channels and outputs of one group
  std::int64_t height, width;
  bool bias = true;
};

Convolution convolution(const Case& c) {
  const std::int64_t weights = c.groups * c.outputs * c.channels * c.window.kernel[0] * c.window.kernel[1];
  return {c.window, c.groups, c.channels, normals(weights, 1),
          c.bias ? normals(c.groups * c.outputs, 2) : std::vector<float>{}};
}

Tensor images(const Case& c, std::int64_t count) {
  const Shape shape{count, c.groups * c.channels, c.height, c.width};
  return {shape, normals(element_count(shape), 3)};
}

Tensor run(const Convolution& operation, const Tensor& input) {
  const Tensor* inputs[] = {&input};
  return operation.run(inputs);
}

class Convolutions : public testing::TestWithParam<Case> {};

TEST_P(Convolutions, EqualsProductsOfPatches) {
  const Convolution operation = convolution(GetParam());
  const Tensor input = images(GetParam(), 5);
  const Tensor* inputs[] = {&input};
  const Tensor direct = operation.run(inputs), plain = operation.MatrixOperation::run(inputs);
  ASSERT_EQ(direct.shape, plain.shape);
  // Rounding errors of sums of so many products of numbers within 6 standard deviations.
  const float bound = 36.0F * 1.2e-7F * static_cast<float>(operation.rows_per_group() + 1);
  for (std::size_t i = 0; i < plain.data.size(); ++i) ASSERT_NEAR(direct.data[i], plain.data[i], bound) << i;
}

TEST_P(Convolutions, GivesAnImageTheSameBitsInAnyBatch) {
  const Convolution operation = convolution(GetParam());
  const Tensor input = images(GetParam(), 35);
  const Tensor whole = run(operation, input);
  for (const std::int64_t count : {1, 2, 16, 34}) {
    Tensor part = input;
    part.shape[0] = count;
    part.data.resize(static_cast<std::size_t>(element_count(part.shape)));
    const Tensor output = run(operation, part);
    ASSERT_TRUE(std::equal(output.data.begin(), output.data.end(), whole.data.begin())) << count;
  }
}

/// More shapes than are kept, from several threads that meet the operation for the first time together.
TEST_P(Convolutions, GivesTheSameBitsInAllThreads) {
  const Convolution operation = convolution(GetParam());
  constexpr std::int64_t kShapes = 11;
  std::vector<Tensor> expected;
  {
    const Convolution alone = convolution(GetParam());
    for (std::int64_t count = 1; count <= kShapes; ++count) expected.push_back(run(alone, images(GetParam(), count)));
  }
  std::vector<int> same(3, 0);
  std::vector<std::thread> threads;
  for (int& found : same)
    threads.emplace_back([&] {
      for (std::int64_t count = 1; count <= kShapes; ++count)
        found += run(operation, images(GetParam(), count)).data == expected[static_cast<std::size_t>(count - 1)].data;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector<int>(3, kShapes));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Convolutions,
    testing::Values(Case{"plain", {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 1, 16, 16, 14, 14},
                    Case{"one_channel", {{5, 5}, {1, 1}, {1, 1}, {2, 2}, {2, 2}}, 1, 1, 6, 28, 28},
                    Case{"uneven_channels", {{5, 5}}, 1, 6, 17, 14, 14},
                    Case{"without_bias", {{3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}}, 1, 16, 32, 14, 13, false},
                    Case{"uneven_padding", {{3, 2}, {2, 3}, {1, 1}, {0, 1}, {2, 0}}, 1, 8, 8, 9, 11},
                    Case{"padding_alone_at_the_edge", {{1, 3}, {1, 1}, {1, 1}, {2, 3}, {2, 3}}, 1, 3, 5, 4, 4},
                    Case{"dilated", {{3, 3}, {1, 1}, {2, 3}, {2, 3}, {2, 3}}, 1, 16, 24, 12, 12},
                    Case{"pointwise", {}, 1, 64, 24, 7, 7}, Case{"one_pixel", {}, 1, 96, 6, 1, 1},
                    Case{"grouped", {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 4, 3, 5, 8, 8},
                    Case{"depthwise", {{3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}}, 64, 1, 1, 14, 14},
                    Case{"depthwise_multiplier", {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 10, 1, 2, 7, 7},
                    Case{"depthwise_dilated", {{3, 3}, {1, 1}, {2, 2}, {2, 2}, {2, 2}}, 20, 1, 1, 9, 9},
                    Case{"signal", {{1, 3}, {1, 2}, {1, 1}, {0, 1}, {0, 1}}, 1, 65, 64, 1, 9}),
    [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace tellegen::models
