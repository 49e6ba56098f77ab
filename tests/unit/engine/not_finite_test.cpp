// Outputs that are infinite or not a number are counted for every image, compared with the float network or not.

#include <gtest/gtest.h>

#include <limits>

#include "engine_fixture.h"

namespace tellegen::sim {
namespace {

TEST(NotFinite, OutputsAreCounted) {
  const ExperimentConfig config =
      test::experiment("mlp_mnist", test::kIdealChip, {{"evaluate.samples", "8"}, {"evaluate.chips", "1"}});
  const Workload workload = load(config, 1);
  const mapping::Plan plan = Session(test::kCosts, 1).plan_only(config).plan;
  auto chip = program<float>(workload, plan, config, 0);
  calibrate(chip, workload, plan, config);
  for (const LayerEvents& layer : infer(chip, workload, plan, config, 0, 8, false).events)
    EXPECT_EQ(layer.not_finite, 0);
  chip.layers[2].gain[0] = chip.layers[2].gain[9] = std::numeric_limits<float>::infinity();
  const std::vector<LayerEvents> last = infer(chip, workload, plan, config, 0, 8, false).events;
  EXPECT_EQ(last[0].not_finite, 0);
  EXPECT_EQ(last[2].not_finite, 2 * 8);
  chip.layers[0].gain[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(infer(chip, workload, plan, config, 0, 8, false).events[0].not_finite, 8);
}

}  // namespace
}  // namespace tellegen::sim
