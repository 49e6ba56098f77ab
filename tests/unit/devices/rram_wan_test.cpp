#include "tellegen/devices/rram_wan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sample_statistics.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using test::moments;
using test::z_limit;

constexpr ArrayAddress address{3, {0, 1, 0}};
constexpr double second_s = 1, day_s = 86400;

Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

TEST(RramWan, DeviationEqualsTheVectors) {
  const auto vectors = test::conductance_vectors("RRAM_Wan2022_aihwkit");
  const double g_max_uS = vectors.at("g_max_ref");
  const auto first = wan_deviation<double>(second_s), day = wan_deviation<double>(day_s),
             two_days = wan_deviation<double>(2 * day_s);
  ASSERT_FALSE(vectors.at("rows").empty());
  for (const auto& row : vectors.at("rows")) {
    const double g = row.at("g_rel");
    EXPECT_NEAR(first.sigma(g) * g_max_uS, row.at("sigma_uS_t1"), 1e-12) << g;
    EXPECT_NEAR(day.sigma(g) * g_max_uS, row.at("sigma_uS_t86400"), 1e-12) << g;
    EXPECT_NEAR(two_days.sigma(g) * g_max_uS, row.at("sigma_uS_t172800"), 1e-12) << g;
  }
}

TEST(RramWan, DeviationIsLinearInTheLogarithmOfTheAge) {
  const double half_way_s = std::sqrt(second_s * day_s), later_s = std::sqrt(2.0) * day_s;
  for (const double g : test::share_grid()) {
    const auto sigma = [g](double age_s) { return wan_deviation<double>(age_s).sigma(g); };
    EXPECT_NEAR(sigma(half_way_s), 0.5 * (sigma(second_s) + sigma(day_s)), 1e-14) << g;
    EXPECT_NEAR(sigma(later_s), 0.5 * (sigma(day_s) + sigma(2 * day_s)), 1e-14) << g;
  }
}

TEST(RramWan, AgesBeyondTheMeasurementCountAsItsEnds) {
  for (const double g : {0.1, 0.5, 1.0}) {
    EXPECT_EQ(wan_deviation<double>(0).sigma(g), wan_deviation<double>(second_s).sigma(g));
    EXPECT_EQ(wan_deviation<double>(1e9).sigma(g), wan_deviation<double>(2 * day_s).sigma(g));
  }
}

TEST(RramWan, FloatFollowsDouble) {
  for (const double age_s : {second_s, 3600.0, day_s, 2 * day_s}) {
    const auto first = wan_deviation<double>(second_s), now = wan_deviation<double>(age_s);
    const auto first_f = wan_deviation<float>(second_s), now_f = wan_deviation<float>(age_s);
    for (double g = 0; g <= 1; g += 1.0 / 512) {
      const float f = static_cast<float>(g);
      EXPECT_NEAR(now_f.sigma(f), now.sigma(g), 3e-7) << g;
      // Variances are compared: a standard deviation next to zero magnifies rounding.
      const double added = wan_relaxation(first, now, g), added_f = wan_relaxation(first_f, now_f, f);
      EXPECT_NEAR(added_f * added_f, added * added, 5e-8) << g;
    }
  }
}

// A code in wide use forgets to rescale the deviation when g_max is not 40 uS.
TEST(RramWan, SpreadIsTheSameShareOfAnyGMax) {
  for (const double g_max_uS : {40.0, 25.0}) {
    RramWanParameters p;
    p.range.g_max = Conductance::si(g_max_uS * 1e-6);
    const double middle_S = 0.5 * g_max_uS * 1e-6;
    const auto g_S = p.make()->program(std::vector<float>(400000, static_cast<float>(middle_S)), address).g_S;
    const auto m = moments(g_S);
    const double published_S = 0.0506 * g_max_uS * 1e-6;
    EXPECT_NEAR(std::sqrt(m.variance), published_S, 0.01 * published_S);
    const double sigma_S = wan_deviation<double>(second_s).sigma(0.5) * g_max_uS * 1e-6;
    EXPECT_LT(std::abs(test::mean_z(m, middle_S, sigma_S)), z_limit);
    EXPECT_LT(std::abs(test::variance_z(m, sigma_S)), z_limit);
  }
}

TEST(RramWan, RelaxationWidensTheSpreadToThePublishedOne) {
  const auto device = RramWanParameters().make();
  const auto programmed = device->program(std::vector<float>(200000, 24e-6f), address);
  EXPECT_EQ(device->read(programmed, after(0), address).mean_S, programmed.g_S);
  EXPECT_EQ(device->read(programmed, after(second_s), address).mean_S, programmed.g_S);
  for (const double age_s : {60.0, day_s, 2 * day_s}) {
    const auto m = moments(device->read(programmed, after(age_s), address).mean_S);
    const double sigma_S = wan_deviation<double>(age_s).sigma(0.6) * 40e-6;
    EXPECT_LT(std::abs(test::mean_z(m, 24e-6, sigma_S)), z_limit) << age_s;
    EXPECT_LT(std::abs(test::variance_z(m, sigma_S)), z_limit) << age_s;
  }
}

TEST(RramWan, RelaxationFollowsTheTargetAndNotTheAchievedConductance) {
  const auto device = RramWanParameters().make();
  auto programmed = device->program(std::vector<float>(1000, 24e-6f), address);
  const auto before = device->read(programmed, after(day_s), address).mean_S;
  for (float& g_S : programmed.g_S) g_S += 2e-6f;
  const auto moved = device->read(programmed, after(day_s), address).mean_S;
  for (std::size_t i = 0; i < moved.size(); ++i) EXPECT_NEAR(moved[i] - before[i], 2e-6, 1e-11);
}

TEST(RramWan, ReadNoiseIsAShareOfTheConductance) {
  RramWanParameters p;
  p.read_noise = 0.02;
  const auto device = p.make();
  const auto statistics =
      device->read(device->program(std::vector<float>(100, 24e-6f), address), after(day_s), address);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_FLOAT_EQ(statistics.variance_S2[i], 4e-4f * statistics.mean_S[i] * statistics.mean_S[i]);
  }
  p.read_noise = 0;
  EXPECT_TRUE(p.make()->read({{24e-6f}, {}, {24e-6f}}, after(0), address).variance_S2.empty());
}

}  // namespace
}  // namespace tellegen::devices
