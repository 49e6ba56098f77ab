#include "tellegen/models/batch_slices.h"

#include <gtest/gtest.h>

#include "onnx_builder.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "trained_network.h"

namespace tellegen::models {
namespace {

/// So wide that one sample fills the cache.
Network wide() {
  return import_onnx(OnnxBuilder({-1, 300000}).node("Relu", {"x"}, "r").node("Neg", {"r"}, "y").file());
}

TEST(SliceSize, KeepsWhatANodeReadsAndWritesInTheCache) {
  EXPECT_EQ(slice_size(wide()), 1) << "two values of 300000 floats are 2.4 MB";
  const Network narrow = import_onnx(OnnxBuilder({-1, 1024}).node("Relu", {"x"}, "y").file());
  EXPECT_EQ(slice_size(narrow), 256) << "2 MiB / (2 x 1024 floats)";
  const Network sum = import_onnx(
      OnnxBuilder({-1, 1024}).node("Relu", {"x"}, "r").node("Neg", {"x"}, "n").node("Add", {"r", "n"}, "y").file());
  EXPECT_EQ(slice_size(sum), 170) << "2 MiB / (3 x 1024 floats)";
}

TEST(SliceSize, KeepsSamplesTogetherThatBelongTogether) {
  Network network = wide();
  network.streaming = true;
  EXPECT_EQ(slice_size(network), 0);
  Network fixed = wide();
  fixed.values[fixed.input].shape[0] = 4;
  EXPECT_EQ(slice_size(fixed), 0);
  Network moved = wide();
  std::swap(moved.values[moved.output].shape[0], moved.values[moved.output].shape[1]);
  EXPECT_EQ(slice_size(moved), 0);
}

TEST(Slices, AreTheBatchAgain) {
  const Tensor batch{{5, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  const Tensor part = samples_of(batch, 1, 2);
  EXPECT_EQ(part.shape, (Shape{2, 2}));
  EXPECT_EQ(part.data, (std::vector<float>{3, 4, 5, 6}));
  Tensor whole;
  for (const std::int64_t first : {0, 2, 4}) append_samples(samples_of(batch, first, first == 4 ? 1 : 2), whole);
  EXPECT_EQ(whole.shape, batch.shape);
  EXPECT_EQ(whole.data, batch.data);
}

/// Who watches gets the whole batch; what the network gives is the same to the bit.
class SlicedNetwork : public testing::TestWithParam<const char*> {};

TEST_P(SlicedNetwork, GivesTheSameBitsAsTheWholeBatch) {
  const Trained trained(GetParam());
  const std::int64_t samples = 2 * slice_size(trained.network) + 3;
  ASSERT_LT(samples, trained.set->size());
  const Tensor batch = trained.set->batch(0, samples);
  std::int64_t largest = 0;
  const Tensor whole = execute(trained.network, batch, {}, [&](const Node&, std::size_t, const Tensor& output) {
    largest = std::max(largest, output.shape[0]);
  });
  EXPECT_GE(largest, samples);
  const Tensor sliced = execute(trained.network, batch);
  EXPECT_EQ(sliced.shape, whole.shape);
  EXPECT_TRUE(sliced.data == whole.data);
}

INSTANTIATE_TEST_SUITE_P(Zoo, SlicedNetwork,
                         testing::Values("resnet8_fashion", "mbnet_fashion", "lstm_mnist", "gru_mnist", "vit_mnist",
                                         "lm_swiglu"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace tellegen::models
