#include "tellegen/models/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "onnx_builder.h"
#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

std::filesystem::path write_set(const std::vector<std::uint64_t>& shape, const std::vector<std::uint8_t>& labels) {
  const std::filesystem::path path = temporary_path("set.h5");
  std::uint64_t size = 1;
  for (const std::uint64_t dimension : shape) size *= dimension;
  std::vector<std::uint8_t> pixels;
  for (std::uint64_t i = 0; i < size; ++i) pixels.push_back(static_cast<std::uint8_t>(i * 51 % 256));
  Hdf5Writer writer(path);
  writer.write("images", std::span<const std::uint8_t>(pixels), shape);
  writer.write("labels", std::span<const std::uint8_t>(labels), {labels.size()});
  writer.commit();
  return path;
}

/// Two outputs from `sample`.
Network classifier(std::vector<std::int64_t> sample) {
  const std::int64_t size = element_count(sample);
  sample.insert(sample.begin(), -1);
  return import_onnx(OnnxBuilder(sample)
                         .floats("w", {size, 2}, std::vector<float>(static_cast<std::size_t>(size * 2), 1.0F))
                         .node("Flatten", {"x"}, "f")
                         .node("MatMul", {"f", "w"}, "y")
                         .file());
}

std::string message(const std::filesystem::path& set, const Network& network) {
  try {
    load_dataset(set, network);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Dataset, GivesBatchesInTheNetworksShape) {
  const Dataset set = load_dataset(write_set({3, 2, 2}, {0, 1, 1}), classifier({1, 2, 2}));
  EXPECT_EQ(set.size(), 3);
  EXPECT_EQ(set.labels, (std::vector<int>{0, 1, 1}));
  const Tensor batch = set.batch(1, 2);
  EXPECT_EQ(batch.shape, (Shape{2, 1, 2, 2}));
  EXPECT_EQ(batch.data, (std::vector<float>{204 / 255.0F, 1, 50 / 255.0F, 101 / 255.0F, 152 / 255.0F, 203 / 255.0F,
                                            254 / 255.0F, 49 / 255.0F}));
}

TEST(Dataset, FlattensForNetworksThatWantIt) {
  EXPECT_EQ(load_dataset(write_set({1, 2, 2}, {0}), classifier({4})).batch(0, 1).shape, (Shape{1, 4}));
}

TEST(Dataset, RefusesImagesOfAnotherSize) {
  const auto set = write_set({1, 2, 3}, {0});
  const Network network = classifier({1, 2, 2});
  EXPECT_EQ(message(set, network), set.string() +
                                       ": the images have size '2x3'; the network model reads 1x2x2. Use the test set "
                                       "that the network was trained for.");
}

TEST(Dataset, RefusesTheSameNumberOfPixelsInAnotherShape) {
  const auto set = write_set({1, 2, 3}, {0});
  EXPECT_EQ(message(set, classifier({1, 3, 2})), set.string() +
                                                     ": the images have size '2x3'; the network model reads 1x3x2. Use "
                                                     "the test set that the network was trained for.");
}

TEST(Dataset, RefusesLabelsThatTheNetworkCannotGive) {
  const auto set = write_set({3, 2, 2}, {0, 1, 2});
  EXPECT_EQ(message(set, classifier({4})), set.string() +
                                               ": label 2 is '2'; the network has 2 outputs, so 0 to 1 is allowed. Use "
                                               "the test set that the network was trained for.");
}

TEST(Dataset, RefusesUnequalNumbers) {
  const auto set = write_set({3, 2, 2}, {0, 1});
  EXPECT_EQ(message(set, classifier({4})),
            set.string() + ": 'images' holds 3 samples and 'labels' 2; each image needs one label.");
}

TEST(Dataset, RefusesImagesWithoutDimensions) {
  const auto set = write_set({3}, {0, 1, 1});
  EXPECT_EQ(message(set, classifier({4})),
            set.string() + ": 'images' has shape '3'; samples x height x width with at least one sample is allowed.");
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A change that makes the HDF5 library write beyond its memory.
TEST(Dataset, RefusesAFileOnWhichTheLibraryCrashes) {
  std::string bytes = content_of(std::filesystem::path(TELLEGEN_SOURCE_DIR) / "models/data/mnist_test.h5");
  ASSERT_EQ(bytes.size(), 1624002u);
  bytes[539] = '\x01';
  bytes[983] = '\xFF';
  bytes[1942] = '\xFF';
  const auto file = write_bytes("damaged.h5", bytes);
  EXPECT_THAT(message(file, classifier({1, 28, 28})), testing::StartsWith(file.string() + ": "));
}

/// The set is read, with whatever numbers, or refused; nothing else.
TEST(Dataset, NoByteOfAFileCrashesTheReader) {
  const auto set = write_set({40, 8, 8}, std::vector<std::uint8_t>(40, 1));
  const Network network = classifier({1, 8, 8});
  const std::string whole = content_of(set);
  std::mt19937 random(3);
  int refused = 0;
  constexpr int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    std::string bytes = whole;
    for (int edits = 0; edits < 3; ++edits)
      bytes[random() % bytes.size()] = random() % 2 == 0 ? '\xFF' : static_cast<char>(random());
    refused += message(write_bytes("damaged.h5", bytes), network).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, trials / 20);
  EXPECT_LT(refused, trials);
}

}  // namespace
}  // namespace tellegen::models
