// With ideal devices and ideal converters the chip is the network.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine_fixture.h"
#include "tellegen/models/executor.h"

namespace tellegen::sim {
namespace {

class EveryNetwork : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryNetwork, IdealChipReproducesLogits) {
  const ExperimentConfig config =
      test::experiment(GetParam(), test::kIdealChip, {{"evaluate.samples", "64"}, {"evaluate.chips", "1"}});
  const Workload workload = load(config, 2);
  const auto plan = std::get<mapping::Plan>(mapping::plan_greedy(workload.network, config.chip));
  auto chip = program<float>(workload, plan, config, 0);
  calibrate(chip, workload, plan, config);
  const models::Tensor expected = models::execute(workload.network, workload.data.batch(0, 64));
  const models::Tensor got = infer_logits(chip, workload, plan, config, 0, 64);
  ASSERT_EQ(got.shape, expected.shape);
  float largest = 0, difference = 0;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    largest = std::max(largest, std::abs(expected.data[i]));
    difference = std::max(difference, std::abs(expected.data[i] - got.data[i]));
  }
  EXPECT_LT(difference / largest, 1e-5F);
  EXPECT_GT(difference, 0.0F)
      << "different orders of summation: equal to the last bit means that the chip was not used";
}

TEST_P(EveryNetwork, IdealChipHasTheFloatAccuracy) {
  const ExperimentConfig config = test::experiment(GetParam(), test::kIdealChip, {{"evaluate.chips", "1"}});
  const RunResult result = Session(test::kCosts).run(config);
  ASSERT_EQ(result.samples, 10000);
  EXPECT_EQ(result.chips[0].accuracy, result.float_accuracy);
  EXPECT_EQ(result.chips[0].predictions, result.workload->float_predictions);
}

INSTANTIATE_TEST_SUITE_P(Zoo, EveryNetwork,
                         ::testing::Values("mlp_mnist", "lenet_mnist", "lenet_fashion", "cnn_mnist", "cnn_silu_mnist",
                                           "resnet8_fashion", "mbnet_fashion"),
                         [](const auto& tested) { return std::string(tested.param); });

/// The mapping's own choices do not show through ideal hardware either.
class EveryMapping : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryMapping, IdealChipReproducesLogits) {
  const ExperimentConfig config = test::experiment(
      "lenet_mnist",
      std::string("chip: {device: {model: ideal}, dac: {bits: ideal}, adc: {bits: ideal}, tile: ") + GetParam() + "}");
  const Workload workload = load(config, 2);
  const auto plan = std::get<mapping::Plan>(mapping::plan_greedy(workload.network, config.chip));
  auto chip = program<double>(workload, plan, config, 0);
  calibrate(chip, workload, plan, config);
  const models::Tensor expected = models::execute(workload.network, workload.data.batch(0, 16));
  const models::Tensor got = infer_logits(chip, workload, plan, config, 0, 16);
  float largest = 0, difference = 0;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    largest = std::max(largest, std::abs(expected.data[i]));
    difference = std::max(difference, std::abs(expected.data[i] - got.data[i]));
  }
  EXPECT_LT(difference / largest, 1e-5F);
}

INSTANTIATE_TEST_SUITE_P(Tiles, EveryMapping,
                         ::testing::Values("{rows: 128, columns: 128}", "{rows: 37, columns: 22}",
                                           "{rows: 1024, columns: 6, scale: per_layer}",
                                           "{encoding: differential, subtract: digital}", "{encoding: offset}",
                                           "{encoding: unit_column}", "{rows: 64, columns: 64, bias: rows}",
                                           "{encoding: unit_column, bias: rows}"));

}  // namespace
}  // namespace tellegen::sim
