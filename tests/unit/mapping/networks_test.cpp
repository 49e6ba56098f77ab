// The shipped networks on the shipped chips: what is real enough to be run must be placed completely.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tellegen/mapping/plan.h"
#include "tellegen/mapping/plan_table.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operators/recurrent.h"

namespace tellegen::mapping {
namespace {

std::vector<std::filesystem::path> files_in(const char* folder, const char* extension) {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(TELLEGEN_SOURCE_DIR) / folder)) {
    if (entry.path().extension() == extension) files.insert(entry.path());
  }
  return {files.begin(), files.end()};
}

std::int64_t weights_of(const models::Network& network, bool with_bias) {
  std::int64_t count = 0;
  const auto add = [&](const models::MatrixOperation& operation) {
    count += static_cast<std::int64_t>(operation.weights().size());
    if (with_bias) count += static_cast<std::int64_t>(operation.bias().size());
  };
  for (const models::Node& node : network.nodes) {
    if (const auto* matrix = dynamic_cast<const models::MatrixOperation*>(node.operation.get())) add(*matrix);
    if (const auto* recurrent = dynamic_cast<const models::Recurrent*>(node.operation.get())) {
      for (const auto& matrix : recurrent->matrices()) add(*matrix);
    }
  }
  return count;
}

class EveryNetwork : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryNetwork, IsPlacedOnEveryChip) {
  const models::Network network = models::import_onnx(GetParam());
  for (const auto& file : files_in("configs/chips", ".yaml")) {
    for (const BiasPlace bias : {BiasPlace::digital, BiasPlace::rows}) {
      ChipConfig chip = read_chip(file);
      chip.tile.encoding.bias = bias;
      const auto outcome = plan_greedy(network, chip);
      ASSERT_TRUE(std::holds_alternative<Plan>(outcome)) << file;
      const Plan& plan = std::get<Plan>(outcome);
      EXPECT_NO_THROW(check_conservation(plan, network, chip)) << file;
      std::int64_t placed = 0;
      for (const LayerPlan& layer : plan.layers) {
        for (const TileSlice& slice : layer.slices) placed += weights_on(layer, slice);
      }
      EXPECT_EQ(placed, weights_of(network, bias == BiasPlace::rows)) << file;
      EXPECT_EQ(plan_rows(plan, network, chip).size(), static_cast<std::size_t>(plan.tiles)) << file;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Trained, EveryNetwork, testing::ValuesIn(files_in("models/trained", ".onnx")),
                         [](const auto& file) { return file.param.stem().string(); });

/// Where the products of the recurrent networks come from: shapes, worked out by hand from the records of the networks.
TEST(RecurrentPlan, StatesTakeOneProductPerStepAndDirection) {
  const std::string folder = std::string(TELLEGEN_SOURCE_DIR) + "/models/trained/";
  const models::Network network = models::import_onnx(folder + "lstm_mnist.onnx");
  const Plan plan = std::get<Plan>(plan_greedy(network, ChipConfig{}));
  ASSERT_EQ(plan.layers.size(), 5U);  // two LSTM layers with inputs and states, and the classifier
  std::int64_t expected = 128 * 10;
  for (const int inputs : {28, 128}) expected += 28 * (inputs + 128) * 4 * 128;
  EXPECT_EQ(multiply_accumulates(plan), expected);
  EXPECT_EQ(plan.layers[1].label, "lstm state");
  EXPECT_EQ(plan.layers[1].positions, 28);
  EXPECT_EQ(plan.layers[1].outputs(), 4 * 128);
  EXPECT_EQ(layer_of(plan, plan.layers[1].node, 0), std::optional<std::size_t>(1));
  EXPECT_EQ(layer_of(plan, plan.layers[1].node), std::nullopt);

  const Plan streamed = std::get<Plan>(plan_greedy(models::import_onnx(folder + "silero_vad_16k.onnx"), ChipConfig{}));
  const auto state = std::find_if(streamed.layers.begin(), streamed.layers.end(),
                                  [](const LayerPlan& layer) { return layer.matrix.has_value(); });
  ASSERT_NE(state, streamed.layers.end());
  EXPECT_EQ(state->positions, 1) << "one step per frame of sound";
}

}  // namespace
}  // namespace tellegen::mapping
