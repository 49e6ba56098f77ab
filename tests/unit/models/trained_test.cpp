// The networks that come with the program: logits as ONNX Runtime computes them, accuracy and parameters as recorded.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/dataset.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

constexpr const char* kRoot = TELLEGEN_SOURCE_DIR;
constexpr std::int64_t kBatch = 100;

class TrainedNetwork : public testing::TestWithParam<std::string> {
 protected:
  static std::string path(const std::string& folder, const std::string& file) {
    return std::string(kRoot) + "/" + folder + "/" + file;
  }
  nlohmann::json record_ = nlohmann::json::parse(std::ifstream(path("models/trained/records", GetParam() + ".json")));
  Network network_ = import_onnx(path("models/trained", GetParam() + ".onnx"));
  Dataset data_ = load_dataset(path("models/data", record_["data"]), network_);
};

TEST_P(TrainedNetwork, GivesTheLogitsOfOnnxRuntime) {
  const Hdf5Reader reader(path("tests/data/logits", GetParam() + ".h5"));
  ASSERT_EQ(reader.text_attribute("", "model_sha256"), record_["onnx_sha256"].get<std::string>());
  const std::vector<double> expected = reader.doubles("logits");
  const Tensor logits = execute(network_, data_.batch(0, 64));
  ASSERT_EQ(logits.shape, (Shape{64, 10}));
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(logits.data[i] - expected[i]));
  }
  RecordProperty("relative_difference", std::to_string(difference / largest * 1e9) + "e-9");
  EXPECT_LT(difference, 1e-5 * largest);
}

TEST_P(TrainedNetwork, ReachesItsRecordedAccuracyExactly) {
  ASSERT_EQ(data_.size(), record_["metric"]["samples"].get<std::int64_t>());
  const Tensor logits = execute_all(network_, data_.batch(0, data_.size()), kBatch);
  EXPECT_EQ(accuracy(logits, data_.labels), record_["metric"]["value"].get<double>());
}

TEST_P(TrainedNetwork, HasTheRecordedParameters) {
  EXPECT_EQ(parameter_count(network_), record_["parameters"].get<std::int64_t>());
  EXPECT_EQ(network_.opset, record_["opset"].get<int>());
  EXPECT_EQ(network_.name, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, TrainedNetwork,
                         testing::Values("cnn_mnist", "cnn_silu_mnist", "lenet_fashion", "lenet_mnist", "mbnet_fashion",
                                         "mlp_mnist", "resnet8_fashion"),
                         [](const auto& parameter) { return parameter.param; });

/// Multiply-accumulates by hand: 28 x 28 x 9 x 16, then per stage with stride 2 both 3x3 convolutions and the 1x1
/// shortcut.
TEST(MultiplyAccumulates, OfResNet8) {
  const Network network = import_onnx(std::string(kRoot) + "/models/trained/resnet8_fashion.onnx");
  const std::int64_t first = 28 * 28 * 9 * 16;
  const std::int64_t stage1 = 14 * 14 * (9 * 16 * 16 + 9 * 16 * 16 + 16 * 16);
  const std::int64_t stage2 = 7 * 7 * (9 * 16 * 32 + 9 * 32 * 32 + 16 * 32);
  const std::int64_t stage3 = 4 * 4 * (9 * 32 * 64 + 9 * 64 * 64 + 32 * 64);
  EXPECT_EQ(multiply_accumulates(network), first + stage1 + stage2 + stage3 + 640);
}

}  // namespace
}  // namespace tellegen::models
