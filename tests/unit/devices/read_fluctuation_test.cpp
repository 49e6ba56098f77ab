// 1/f and telegraph noise, as closed forms and as the generic device shows them.

#include "tellegen/devices/read_fluctuation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sample_statistics.h"
#include "tellegen/devices/generic.h"
#include "tellegen/devices/pcm_joshi.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using namespace units;

constexpr ArrayAddress address{17, {0, 3, 1}};
Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

TEST(FlickerVariance, EqualsTheVectors) {
  const auto rows = test::conductance_vectors("one_over_f").at("rows");
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double sigma = row.at("sigma_rel");
    EXPECT_NEAR(std::sqrt(flicker_variance(row.at("Q"), row.at("f_lo"), row.at("f_hi"))), sigma, 1e-12 * sigma);
  }
}

TEST(FlickerNoise, IsThatOfPcmWithItsTimesAndItsStrength) {
  const FlickerNoise noise{0.0088 * 0.0088, 250 * ns, 20 * s};
  for (const double age_s : {0.0, 1.0, 86400.0, 3.2e7}) {
    const double expected = 0.0088 * 0.0088 * read_noise_log_time(age_s, 20, 250e-9);
    EXPECT_NEAR(noise.relative_variance(age_s), expected, 1e-14 * expected) << age_s;
  }
}

TEST(FlickerNoise, AddsToTheReadVarianceOfTheGenericDevice) {
  GenericParameters p;
  p.flicker = {1e-4, 100 * ns, 1 * s};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>{0, 50e-6f, 100e-6f}, address);
  const double relative = 1e-4 * std::log((3600 + 1 + 1e-7) / 2e-7);
  const auto variance_S2 = device->read(programmed, after(3600), address).variance_S2;
  ASSERT_EQ(variance_S2.size(), 3u);
  EXPECT_EQ(variance_S2[0], 0);
  EXPECT_NEAR(variance_S2[1], relative * 2.5e-9, 1e-6 * relative * 2.5e-9);
  EXPECT_NEAR(variance_S2[2], relative * 1e-8, 1e-6 * relative * 1e-8);
  p.read_noise = {1 * uS, 0};
  EXPECT_NEAR(p.make()->read(programmed, after(3600), address).variance_S2[1], relative * 2.5e-9 + 1e-12, 1e-17);
}

TEST(TelegraphNoise, IndependentReadsHaveTheMeanAndTheVarianceOfTheTrap) {
  GenericParameters p;
  p.telegraph = {.amplitude = 0.1, .growth = 0, .capture = 1 * ms, .emission = 4 * ms};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>{0, 20e-6f, 80e-6f}, address);
  EXPECT_EQ(device->read(programmed, after(0), address).mean_S, programmed.g_S);
  EXPECT_EQ(device->read(programmed, after(0), address).variance_S2, std::vector<float>(3, 0.0f));
  const RandomTelegraph trap{1e-3, 4e-3};
  for (const double age_s : {0.2e-3, 1e-3, 1.0}) {
    const double filled = trap.fills_within(age_s);
    const auto statistics = device->read(programmed, after(age_s), address);
    EXPECT_EQ(statistics.mean_S[0], 0);
    EXPECT_EQ(statistics.variance_S2[0], 0);
    for (const auto& [i, g_S] : {std::pair{1, 20e-6}, {2, 80e-6}}) {
      const std::size_t cell = static_cast<std::size_t>(i);
      EXPECT_NEAR(statistics.mean_S[cell], g_S * (1 - 0.1 * filled), 1e-6 * g_S) << age_s;
      const double variance_S2 = std::pow(0.1 * g_S, 2) * filled * (1 - filled);
      EXPECT_NEAR(statistics.variance_S2[cell], variance_S2, 1e-5 * variance_S2) << age_s;
    }
  }
  // In equilibrium the variance is the closed form of the trap.
  EXPECT_NEAR(device->read(programmed, after(1), address).variance_S2[2], trap.variance_S2(8e-6), 1e-16);
}

TEST(TelegraphNoise, HeldReadsSeeEveryCellInOneOfTwoStates) {
  GenericParameters p;
  p.telegraph = {.amplitude = 0.05, .growth = 0, .capture = 2 * ms, .emission = 6 * ms, .reads = TelegraphReads::held};
  const auto device = p.make();
  constexpr std::size_t cells = 200000;
  const auto programmed = device->program(std::vector<float>(cells, 40e-6f), address);
  for (const double age_s : {1e-3, 1.0}) {
    const auto statistics = device->read(programmed, after(age_s), address);
    EXPECT_TRUE(statistics.variance_S2.empty());
    std::size_t low = 0;
    for (const float g_S : statistics.mean_S) {
      if (g_S == 40e-6f) continue;
      ASSERT_NEAR(g_S, 38e-6, 1e-11);
      ++low;
    }
    const double expected = RandomTelegraph{2e-3, 6e-3}.fills_within(age_s);
    const double share = static_cast<double>(low) / cells;
    EXPECT_LT(std::abs(share - expected) / std::sqrt(expected * (1 - expected) / cells), test::z_limit) << age_s;
  }
}

TEST(TelegraphNoise, GrowsTowardsLowConductancesUpToAllOfThem) {
  GenericParameters p;
  p.telegraph = {.amplitude = 0.02, .growth = 1, .capture = 1 * ms, .emission = 1 * ms, .reads = TelegraphReads::held};
  const auto device = p.make();
  const std::vector<float> target_S{100e-6f, 50e-6f, 10e-6f, 2e-6f, 1e-6f};
  const std::vector<double> share{0.02, 0.04, 0.2, 1, 1};
  for (std::uint32_t chip = 0; chip < 30; ++chip) {
    const ArrayAddress place{17, {chip, 0, 0}};
    const auto mean_S = device->read(device->program(target_S, place), after(1), place).mean_S;
    for (std::size_t i = 0; i < target_S.size(); ++i) {
      if (mean_S[i] == target_S[i]) continue;  // empty
      EXPECT_NEAR(mean_S[i], target_S[i] * (1 - share[i]), 2e-6 * target_S[i]) << i;
    }
  }
}

TEST(TelegraphNoise, DoesNotMoveStuckCells) {
  GenericParameters p;
  p.range.stuck_on = 1;
  p.telegraph = {.amplitude = 0.1, .growth = 0, .capture = 1 * ms, .emission = 1 * ms};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>{20e-6f}, address);
  const auto statistics = device->read(programmed, after(1), address);
  EXPECT_EQ(statistics.mean_S[0], 100e-6f);
  EXPECT_NEAR(statistics.variance_S2[0], 1e-10 * 0.25, 1e-16);
}

}  // namespace
}  // namespace tellegen::devices
