// Test sets of every kind: what is read, and what is refused.

#include "tellegen/models/test_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx_builder.h"
#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

Network trained(const std::string& name) {
  return import_onnx(std::string(TELLEGEN_SOURCE_DIR "/models/trained/") + name + ".onnx");
}

std::string fault(const std::filesystem::path& file, const Network& network) {
  try {
    load_test_set(file, network);
  } catch (const InputError& error) {
    const std::string text = error.what(), place = file.string() + ": ";
    EXPECT_THAT(text, testing::StartsWith(place));
    return text.substr(std::min(place.size(), text.size()));
  }
  return "no error";
}

std::filesystem::path tokens(const std::vector<std::uint8_t>& ids, const std::vector<std::uint8_t>& next,
                             const std::vector<std::uint64_t>& shape) {
  const std::filesystem::path path = temporary_path("tokens.h5");
  Hdf5Writer writer(path);
  writer.write("ids", std::span<const std::uint8_t>(ids), shape);
  writer.write("next", std::span<const std::uint8_t>(next), shape);
  writer.commit();
  return path;
}

/// Logits of token t in three words: t at its own place, 0 elsewhere.
Network copier() {
  OnnxBuilder model =
      OnnxBuilder({-1, 2}).floats("table", {3, 3}, {0, 0, 0, 0, 1, 0, 0, 0, 2}).node("Gather", {"table", "x"}, "y");
  model.wire().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(7);
  return import_onnx(model.file());
}

TEST(TokenSet, JudgesEveryTokenOfAWindow) {
  const Network network = copier();
  const auto set = load_test_set(tokens({0, 1, 2, 2}, {1, 1, 2, 0}, {2, 2}), network);
  EXPECT_EQ(set->size(), 2);
  EXPECT_EQ(set->batch(1, 1).data, (std::vector<float>{2, 2}));
  const auto figures = evaluate(network, *set, {0, 1, 1});
  const double e = std::exp(1.0);
  const double expected = (std::log(3.0) + std::log((2 + e) / e) + 2 * std::log(2 + e * e) - 2) / 4;
  EXPECT_EQ(figures[0].name, "nll");
  EXPECT_NEAR(figures[0].value, expected, 1e-6);
  EXPECT_EQ(figures[1].name, "perplexity");
  EXPECT_NEAR(figures[1].value, std::exp(expected), 1e-6);
}

TEST(TokenSet, RefusesWhatDoesNotFit) {
  EXPECT_EQ(fault(tokens({0, 1, 2}, {1, 1, 2}, {1, 3}), copier()),
            "'ids' have shape '1x3'; the network needs Nx2. Use the test set that the network was trained for.");
  EXPECT_EQ(fault(tokens({0, 1}, {1, 3}, {1, 2}), copier()),
            "'next' holds token '3'; the network knows 0 to 2. Use the test set that the network was trained for.");
}

TEST(TokenSet, NamesATokenWithoutARow) {
  const Network network = copier();
  const auto set = load_test_set(tokens({0, 7}, {1, 1}, {1, 2}), network);
  try {
    evaluate(network, *set, {0, 1, 1});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "token '7.000000' has no row in a table of 3; whole numbers from 0 to 2 are allowed. Use the data that "
        "the network was trained for.");
  }
}

TEST(TestSets, AreToldApartByWhatTheyHold) {
  const auto expect_set = [](const std::string& file, const char* network, std::int64_t size, const char* sample) {
    const auto set = load_test_set(TELLEGEN_SOURCE_DIR "/models/data/" + file, trained(network));
    EXPECT_EQ(set->size(), size) << file;
    EXPECT_EQ(set->sample_name(), sample) << file;
  };
  expect_set("sotu_test.h5", "lm_swiglu", 3798, "window");
  expect_set("ocr_lines.h5", "tess_eng_lstm", 400, "line");
  expect_set("vad_speech.h5", "silero_vad_16k", 1470, "frame");
  expect_set("mnist_test.h5", "vit_mnist", 10000, "image");
  const std::filesystem::path path = temporary_path("other.h5");
  Hdf5Writer writer(path);
  writer.write("pictures", std::span<const std::uint8_t>(std::vector<std::uint8_t>{1}), {1});
  writer.commit();
  EXPECT_EQ(
      fault(path, trained("vit_mnist")),
      "is no test set: it must hold 'images' with 'labels', 'images' with 'width' and 'text', 'ids' with 'next', or "
      "'audio' with 'speech'.");
}

TEST(TestSets, OfAnotherKindAreRefused) {
  const std::string data = TELLEGEN_SOURCE_DIR "/models/data/";
  EXPECT_EQ(
      fault(data + "sotu_test.h5", trained("vit_mnist")),
      "'ids' have shape '3798x128'; the network needs Nx1x28x28. Use the test set that the network was trained for.");
  EXPECT_EQ(
      fault(data + "vad_speech.h5", trained("vit_mnist")),
      "frames have shape '1470x1x576'; the network needs Nx1x28x28. Use the test set that the network was trained "
      "for.");
  EXPECT_EQ(
      fault(data + "ocr_lines.h5", trained("vit_mnist")),
      "'images' (as one channel) have shape '400x1x36x480'; the network needs Nx1x28x28. Use the test set that the "
      "network was trained for.");
}

/// White is 1, black is -1; frames begin with silence and overlap.
TEST(TestSets, GiveWhatTheNetworksWereTrainedOn) {
  const std::string data = TELLEGEN_SOURCE_DIR "/models/data/";
  const Tensor line = load_test_set(data + "ocr_lines.h5", trained("tess_eng_lstm"))->batch(0, 1);
  EXPECT_EQ(line.shape, (Shape{1, 1, 36, 480}));
  EXPECT_EQ(*std::max_element(line.data.begin(), line.data.end()), 1.0F);
  EXPECT_EQ(*std::min_element(line.data.begin(), line.data.end()), -1.0F);
  const Tensor frames = load_test_set(data + "vad_speech.h5", trained("silero_vad_16k"))->batch(0, 2);
  EXPECT_EQ(frames.shape, (Shape{2, 1, 576}));
  EXPECT_TRUE(std::all_of(frames.data.begin(), frames.data.begin() + 64, [](float x) { return x == 0; }));
  EXPECT_TRUE(std::equal(frames.data.begin() + 512, frames.data.begin() + 576, frames.data.begin() + 576));
  const std::vector<std::int64_t> sound = Hdf5Reader(data + "vad_speech.h5").integers("audio");
  std::int64_t loudest = 0;
  for (std::size_t i = 0; i < 512; ++i) {
    EXPECT_EQ(frames.data[64 + i], static_cast<float>(sound[i]) / 0x1p15F) << "full scale is 2^15, at " << i;
    loudest = std::max(loudest, std::abs(sound[i]));
  }
  EXPECT_GT(loudest, 0) << "silence has no scale";
}

}  // namespace
}  // namespace tellegen::models
