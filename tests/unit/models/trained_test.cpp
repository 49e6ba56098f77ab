// The networks that come with the program: outputs as ONNX Runtime computes them, metrics and parameters as recorded.

#include <algorithm>
#include <cmath>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/executor.h"
#include "trained_network.h"

namespace tellegen::models {
namespace {

class TrainedNetwork : public testing::TestWithParam<std::string> {
 protected:
  Trained trained_{GetParam()};
};

/// The outputs of classes and tokens are far below the limit that the project sets, 1e-4 * max(1, largest). The line reader goes
/// through four layers of 160 steps with logits up to 114.
TEST_P(TrainedNetwork, GivesTheLogitsOfOnnxRuntime) {
  const Hdf5Reader reader(in_source("tests/data/logits", GetParam() + ".h5"));
  ASSERT_EQ(reader.text_attribute("", "model_sha256"), trained_.record["onnx_sha256"].get<std::string>());
  const std::vector<double> expected = reader.doubles("logits");
  const auto stored = reader.shape("logits");
  const Tensor logits = execute(trained_.network, trained_.set->batch(0, static_cast<std::int64_t>(stored[0])));
  ASSERT_EQ(logits.shape, Shape(stored.begin(), stored.end()));
  double largest = 1, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(static_cast<double>(logits.data[i]) - expected[i]));
  }
  RecordProperty("relative_difference", std::to_string(difference / largest * 1e9) + "e-9");
  EXPECT_LT(difference, 1e-5 * largest);
}

TEST_P(TrainedNetwork, ReachesItsRecordedMetric) {
  const auto& metric = trained_.record["metric"];
  const std::string name = metric["name"];
  ASSERT_EQ(trained_.set->size(), metric["samples"].get<std::int64_t>());
  if (name == "nll") {  // all windows are judged in trained_language_test.cpp
    const auto figures = evaluate(trained_.network, *trained_.set, {64, 4, 0});
    EXPECT_NEAR(value_of(figures, "nll"), metric["first_64_windows"].get<double>(), 2e-6);
    return;
  }
  const auto figures = evaluate(trained_.network, *trained_.set, {0, 100, 0});
  EXPECT_DOUBLE_EQ(value_of(figures, name), metric["value"].get<double>());
  EXPECT_EQ(figures[0].name, name) << "the metric of the set comes first";
  EXPECT_LT(figures[0].low, figures[0].value);
  EXPECT_GT(figures[0].high, figures[0].value);
  if (metric.contains("nll")) {
    EXPECT_NEAR(value_of(figures, "nll"), metric["nll"].get<double>(), 1e-6);
  }
  if (metric.contains("accuracy")) {
    EXPECT_DOUBLE_EQ(value_of(figures, "top1"), metric["accuracy"].get<double>());
  }
  if (metric.contains("exact_lines")) {
    EXPECT_DOUBLE_EQ(value_of(figures, "exact"), metric["exact_lines"].get<double>() / metric["samples"].get<double>());
  }
}

TEST_P(TrainedNetwork, HasTheRecordedParameters) {
  EXPECT_EQ(parameter_count(trained_.network), trained_.record["parameters"].get<std::int64_t>());
  EXPECT_EQ(trained_.network.opset, trained_.record["opset"].get<int>());
  EXPECT_EQ(trained_.network.name, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, TrainedNetwork,
                         testing::Values("cnn_mnist", "cnn_silu_mnist", "gru_mnist", "lenet_fashion", "lenet_mnist",
                                         "lm_memglu", "lm_polyglu", "lm_polyglu_alpha", "lm_polyglu_alpha_frozen",
                                         "lm_polyglu_frozen", "lm_swiglu", "lstm_mnist", "mbnet_fashion", "mlp_mnist",
                                         "resnet8_fashion", "silero_vad_16k", "tess_eng_lstm", "vit_mnist"),
                         [](const auto& parameter) { return parameter.param; });

/// Multiply-accumulates by hand: 28 x 28 x 9 x 16, then per stage with stride 2 both 3x3 convolutions and the 1x1
/// shortcut.
TEST(MultiplyAccumulates, OfResNet8) {
  const Network network = import_onnx(in_source("models/trained", "resnet8_fashion.onnx"));
  const std::int64_t first = 28 * 28 * 9 * 16;
  const std::int64_t stage1 = 14 * 14 * (9 * 16 * 16 + 9 * 16 * 16 + 16 * 16);
  const std::int64_t stage2 = 7 * 7 * (9 * 16 * 32 + 9 * 32 * 32 + 16 * 32);
  const std::int64_t stage3 = 4 * 4 * (9 * 32 * 64 + 9 * 64 * 64 + 32 * 64);
  EXPECT_EQ(multiply_accumulates(network), first + stage1 + stage2 + stage3 + 640);
}

/// Every linear layer of a transformer is a matrix operation with the batch in front and one position for each token.
TEST(TokensArePositions, InTransformers) {
  for (const auto& [name, tokens, layers] : {std::tuple{"vit_mnist", 16, 24}, std::tuple{"lm_swiglu", 128, 22}}) {
    const Network network = import_onnx(in_source("models/trained", std::string(name) + ".onnx"));
    int found = 0;
    for (const Node& node : network.nodes) {
      const auto* matrix = dynamic_cast<const MatrixOperation*>(node.operation.get());
      if (matrix == nullptr) continue;
      const Shape& input = network.values[node.inputs[0]].shape;
      EXPECT_EQ(input[0], -1) << node.name;
      found += input.size() == 3 && matrix->positions(input) == tokens ? 1 : 0;
    }
    EXPECT_EQ(found, layers) << name;
  }
}

/// Products with the input run as matrix operations with a position for each step, the batch in front.
TEST(StepsArePositions, InRecurrentNetworks) {
  for (const auto& [name, steps] : {std::pair{"lstm_mnist", std::vector{28, 28, 1}},
                                    {"gru_mnist", std::vector{28, 28, 1}},
                                    {"tess_eng_lstm", std::vector{36 * 480, 160 * 12, 160, 160, 160, 160}}}) {
    const Network network = import_onnx(in_source("models/trained", std::string(name) + ".onnx"));
    std::vector<int> found;
    for (const Node& node : network.nodes) {
      const auto* matrix = dynamic_cast<const MatrixOperation*>(node.operation.get());
      if (matrix == nullptr) continue;
      EXPECT_EQ(network.values[node.inputs[0]].shape[0], -1) << node.name;
      found.push_back(static_cast<int>(matrix->positions(network.values[node.inputs[0]].shape)));
    }
    EXPECT_EQ(found, steps) << name;
  }
}

}  // namespace
}  // namespace tellegen::models
