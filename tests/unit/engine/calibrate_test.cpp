// Converter ranges: from samples or from the cells, and what they do to clipping.

#include <gtest/gtest.h>

#include "engine_fixture.h"

namespace tellegen::sim {
namespace {

const std::string kChip = R"(
chip: {device: {model: generic, g_max: 25 uS, programming_noise: {absolute: 0.2 uS}}, adc: {bits: 8}}
evaluate: {samples: 256, chips: 1, calibration_samples: 128}
)";

double clipped_share(const RunResult& result) {
  double clipped = 0, conversions = 0;
  for (const LayerEvents& e : result.events) {
    clipped += static_cast<double>(e.clipped);
    conversions += static_cast<double>(e.conversions);
  }
  return clipped / conversions;
}

RunResult run(const Overrides& overrides) {
  return Session(test::kCosts).run(test::experiment("lenet_fashion", kChip, overrides));
}

TEST(Calibrate, PercentileClipsAboutItsShare) {
  const double clipped = clipped_share(run({{"chip.adc.range.percentile", "99"}}));
  EXPECT_GT(clipped, 0.005);
  EXPECT_LT(clipped, 0.02);
}

TEST(Calibrate, MaximumClipsNextToNothing) { EXPECT_LT(clipped_share(run({{"chip.adc.range.method", "max"}})), 1e-3); }

TEST(Calibrate, AnalyticRangeNeedsNoSamplesAndKeepsTheAccuracy) {
  const RunResult result = run({{"chip.adc.range.method", "analytic"}, {"chip.adc.bits", "10"}});
  EXPECT_LT(clipped_share(result), 1e-3);
  EXPECT_NEAR(result.accuracy.mean, result.float_accuracy, 0.03);
}

TEST(Calibrate, IdealAdcNeverClips) { EXPECT_EQ(clipped_share(run({{"chip.adc.bits", "ideal"}})), 0); }

TEST(Calibrate, EightBitsKeepTheAccuracy) {
  const RunResult result = run({});
  EXPECT_NEAR(result.accuracy.mean, result.float_accuracy, 0.02);
  for (const LayerSignal& signal : result.chips[0].signals) EXPECT_GT(signal.snr_dB(), 20);
}

}  // namespace
}  // namespace tellegen::sim
