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

/// Networks whose positions are tokens, frames or steps of a sequence, with as many samples as take a second or two.
struct SequenceNetwork {
  const char* name;
  int samples;
};
class EverySequenceNetwork : public ::testing::TestWithParam<SequenceNetwork> {
 protected:
  ExperimentConfig config(int batch) const {
    const std::string samples = std::to_string(GetParam().samples);
    return test::experiment(GetParam().name, test::kIdealChip,
                            {{"evaluate.samples", samples},
                             {"evaluate.calibration_samples", samples},
                             {"evaluate.snr_samples", samples},
                             {"evaluate.batch", std::to_string(batch)},
                             {"evaluate.chips", "1"}});
  }
};

TEST_P(EverySequenceNetwork, IdealChipReproducesOutputs) {
  const ExperimentConfig wanted = config(GetParam().samples);
  const Workload workload = load(wanted, 2);
  const auto plan = std::get<mapping::Plan>(mapping::plan_greedy(workload.network, wanted.chip));
  auto chip = program<float>(workload, plan, wanted, 0);
  calibrate(chip, workload, plan, wanted);
  const models::Tensor expected = models::execute(workload.network, workload.data.batch(0, GetParam().samples));
  const models::Tensor got = infer_logits(chip, workload, plan, wanted, 0, GetParam().samples);
  ASSERT_EQ(got.shape, expected.shape);
  float largest = 0, difference = 0;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    largest = std::max(largest, std::abs(expected.data[i]));
    difference = std::max(difference, std::abs(expected.data[i] - got.data[i]));
  }
  EXPECT_LT(difference / largest, 1e-5F);
  EXPECT_GT(difference, 0.0F) << "equal to the last bit means that the chip was not used";
}

TEST_P(EverySequenceNetwork, IdealChipHasTheFloatMetricInBatchesOfAnySize) {
  const ExperimentConfig wanted = config((GetParam().samples + 2) / 3);
  const RunResult result = Session(test::kCosts).run(wanted);
  EXPECT_NEAR(result.chips[0].accuracy, result.float_accuracy, 1e-5 * std::max(1.0, std::abs(result.float_accuracy)));
  for (std::size_t l = 0; l < result.plan.layers.size(); ++l) {
    const mapping::LayerPlan& layer = result.plan.layers[l];
    EXPECT_EQ(result.events[l].products, layer.positions * result.samples) << layer.name;
    EXPECT_GT(result.chips[0].signals[l].snr_dB(), 80) << layer.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, EverySequenceNetwork,
                         ::testing::Values(SequenceNetwork{"vit_mnist", 48}, SequenceNetwork{"lm_swiglu", 6},
                                           SequenceNetwork{"lm_memglu", 6}, SequenceNetwork{"lm_polyglu", 6},
                                           SequenceNetwork{"lm_polyglu_alpha", 6},
                                           SequenceNetwork{"lm_polyglu_frozen", 6},
                                           SequenceNetwork{"lm_polyglu_alpha_frozen", 6},
                                           SequenceNetwork{"lstm_mnist", 48}, SequenceNetwork{"gru_mnist", 48},
                                           SequenceNetwork{"silero_vad_16k", 100}, SequenceNetwork{"tess_eng_lstm", 6}),
                         [](const auto& tested) { return std::string(tested.param.name); });

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
