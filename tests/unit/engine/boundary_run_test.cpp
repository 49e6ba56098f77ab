// Threshold gates and amplifiers between layers: what a run makes of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine_fixture.h"
#include "tellegen/models/executor.h"

namespace tellegen::sim {
namespace {

/// Transistors so large that mismatch and noise do not show, at currents so small that pairs are exact.
const Overrides kPerfectGates{
    {"chip.front_end.circuit", "differential_pair"}, {"chip.front_end.transistor.width", "10 mm"},
    {"chip.front_end.transistor.length", "10 mm"},   {"chip.front_end.tail.width", "10 mm"},
    {"chip.front_end.tail.length", "10 mm"},         {"chip.front_end.mirror.width", "10 mm"},
    {"chip.front_end.mirror.length", "10 mm"},       {"chip.front_end.bias", "10 pA"},
    {"chip.front_end.scale_mismatch", "0"},          {"chip.front_end.reference.hold", "1 uF"},
    {"chip.front_end.noise.bandwidth", "1e-6 Hz"},   {"chip.front_end.noise.lowest", "1e-7 Hz"}};

Overrides operator+(Overrides a, const Overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Largest difference of logits over the largest logit.
double logit_error(const ExperimentConfig& config, std::int64_t samples) {
  const RunResult planned = Session(test::kCosts).plan_only(config);
  const Workload workload = load(config, 2);
  mapping::Plan plan = planned.plan;
  std::vector<mapping::Edge> edges = workload.edges;
  std::vector<double> largest_input;
  for (const InputRange& range : workload.inputs) largest_input.push_back(range.max_abs);
  mapping::place_boundaries(plan, workload.network, edges, config.chip, config.evaluate.temperature, largest_input);
  auto chip = program<float>(workload, plan, config, 0);
  calibrate(chip, workload, plan, config);
  const models::Tensor expected = models::execute(workload.network, workload.data.batch(0, samples));
  const models::Tensor got = infer_logits(chip, workload, plan, config, 0, samples);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(expected.data[i])));
    difference = std::max(difference, static_cast<double>(std::abs(expected.data[i] - got.data[i])));
  }
  return difference / largest;
}

TEST(GatesOnAChip, PerfectOnesComputeTheNetwork) {
  const ExperimentConfig config =
      test::experiment("cnn_silu_mnist", test::kIdealChip,
                       Overrides{{"evaluate.chips", "1"}, {"chip.boundary", "tg_after_dac"}} + kPerfectGates);
  EXPECT_LT(logit_error(config, 32), 1e-3);
}

TEST(GatesOnAChip, MismatchOfTheDefaultSizesShows) {
  const ExperimentConfig config =
      test::experiment("cnn_silu_mnist", test::kIdealChip,
                       {{"evaluate.samples", "32"}, {"evaluate.chips", "1"}, {"chip.boundary", "tg_after_dac"}});
  EXPECT_GT(logit_error(config, 32), 0.05);
}

TEST(GatesOnAChip, WorkAtTheirTemperature) {
  const Overrides gates = Overrides{{"evaluate.chips", "1"}, {"chip.boundary", "tg_after_dac"}} + kPerfectGates;
  const auto error = [&](const std::string& kelvin, const std::string& compensation) {
    return logit_error(test::experiment("cnn_silu_mnist", test::kIdealChip,
                                        gates + Overrides{{"evaluate.temperature", kelvin},
                                                          {"chip.front_end.compensation", compensation}}),
                       32);
  };
  const double designed = error("300 K", "none"), hot = error("398 K", "none");
  EXPECT_GT(hot, 10 * designed);
  EXPECT_LT(error("398 K", "ptat_scale"), hot / 5);
}

/// Arrays so wide that no sum is split: a chain without any converter inside.
const Overrides kChain{{"chip.boundary", "analog"},
                       {"chip.tile.rows", "1024"},
                       {"chip.tile.columns", "1024"},
                       {"chip.tile.bias", "rows"},
                       {"evaluate.chips", "1"},
                       {"evaluate.samples", "200"},
                       {"evaluate.calibration_samples", "64"}};

TEST(GatesOnAChip, AnalogChainsHaveNoConvertersInside) {
  const RunResult result = Session(test::kCosts).run(test::experiment("mlp_mnist", "", kChain));
  ASSERT_EQ(result.events.size(), 3U);
  const LayerEvents &first = result.events[0], &last = result.events[2];
  EXPECT_EQ(first.dac_drives, 200 * 785);
  EXPECT_EQ(first.conversions, 0);
  EXPECT_EQ(first.amplified, 200 * 256);
  EXPECT_EQ(result.events[1].dac_drives, 0);
  EXPECT_EQ(result.events[1].gates, 200 * 256);
  EXPECT_EQ(result.events[1].conversions, 0);
  EXPECT_EQ(result.events[1].buffer_read_bits, 0);
  EXPECT_EQ(last.gates, 200 * 128);
  EXPECT_EQ(last.conversions, 200 * 10);
  EXPECT_EQ(last.amplified, 0);
  for (const LayerEvents& layer : result.events) EXPECT_EQ(layer.digital.count("relu"), 0U);
  EXPECT_THAT(result.edges[0].why, testing::StartsWith("Straight from the amplifiers of "));
}

TEST(GatesOnAChip, GatesAndAmplifiersArePriced) {
  const RunResult result = Session(test::kCosts).run(test::experiment("mlp_mnist", "", kChain));
  EXPECT_EQ(total_energy_J(result.ledger, "", "activation_relu").typical, 0);
  EXPECT_GT(total_energy_J(result.ledger, "", "front_end").low, 0);
  EXPECT_GT(total_energy_J(result.ledger, "", "amplifier").low, 0);
  EXPECT_GT(total_area_m2(result.ledger, "", "front_end").typical, 0);
  EXPECT_GT(total_area_m2(result.ledger, "", "amplifier").typical, 0);
}

TEST(GatesOnAChip, ThreadsDoNotShow) {
  const ExperimentConfig config = test::experiment("mlp_mnist", "chip: {device: {model: pcm_joshi, age: 1 day}}",
                                                   kChain + Overrides{{"evaluate.chips", "2"}});
  const RunResult one = Session(test::kCosts, 1).run(config), two = Session(test::kCosts, 2).run(config);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(one.chips[c].predictions, two.chips[c].predictions);
    for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(one.chips[c].signals[l].error, two.chips[c].signals[l].error);
  }
}

}  // namespace
}  // namespace tellegen::sim
