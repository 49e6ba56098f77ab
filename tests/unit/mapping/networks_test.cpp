// The shipped networks on the shipped chips: what is real enough to be run must be placed completely.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tellegen/mapping/plan.h"
#include "tellegen/mapping/plan_table.h"
#include "tellegen/models/onnx/import.h"

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
  for (const models::Node& node : network.nodes) {
    const auto* operation = dynamic_cast<const models::MatrixOperation*>(node.operation.get());
    if (operation == nullptr) continue;
    count += static_cast<std::int64_t>(operation->weights().size());
    if (with_bias) count += static_cast<std::int64_t>(operation->bias().size());
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

}  // namespace
}  // namespace tellegen::mapping
