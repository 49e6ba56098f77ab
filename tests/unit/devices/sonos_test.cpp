#include "tellegen/devices/sonos.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sample_statistics.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using test::moments;
using test::z_limit;

constexpr ArrayAddress address{8, {1, 0, 0}};
constexpr double day_s = 86400;

Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

TEST(Sonos, SpreadEqualsTheVectors) {
  const auto vectors = test::conductance_vectors("SONOS_CrossSim");
  ASSERT_FALSE(vectors.at("rows").empty());
  for (const auto& row : vectors.at("rows")) {
    const double i_nA = row.at("I_nA");
    EXPECT_NEAR(sonos_spread<double>(0).sigma_nA(i_nA), row.at("sigma_day0"), 1e-12);
    EXPECT_NEAR(sonos_spread<double>(day_s).sigma_nA(i_nA), row.at("sigma_day1"), 1e-12);
    EXPECT_NEAR(sonos_spread<double>(5 * day_s).sigma_nA(i_nA), row.at("sigma_day5"), 1e-12);
    EXPECT_NEAR(sonos_read_noise<double>().sigma_nA(i_nA), row.at("sigma_read_nA"), 1e-12);
  }
}

// The terms of the polynomials are up to a million times their sum, so the tolerance is that of a double times a
// million.
TEST(Sonos, DriftEqualsTheVectors) {
  const auto rows = test::conductance_vectors("SONOS_drift_CrossSim").at("rows");
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double age_s = row.at("days").get<double>() * day_s, i_nA = row.at("I_nA");
    EXPECT_NEAR(sonos_drift<double>(age_s).shift_nA(i_nA), row.at("shift_nA"), 1e-9) << age_s << " " << i_nA;
    EXPECT_NEAR(sonos_drift<float>(age_s).shift_nA(static_cast<float>(i_nA)), row.at("shift_nA"), 0.2)
        << age_s << " " << i_nA;
  }
}

TEST(Sonos, AtHighCurrentsTheShiftGrowsWithAgeAndStaysSmall) {
  for (double i_nA = 400; i_nA <= sonos_highest_nA; i_nA += 10) {
    for (int day = 1; day <= 5; ++day) {
      const double before_nA = sonos_drift<double>((day - 1) * day_s).shift_nA(i_nA),
                   now_nA = sonos_drift<double>(day * day_s).shift_nA(i_nA);
      EXPECT_LT(now_nA, before_nA) << i_nA << " " << day;
      EXPECT_GT(now_nA, -0.05 * 1400) << i_nA << " " << day;
    }
  }
}

TEST(Sonos, AnAgeAboveFiveDaysCountsAsFiveDays) {
  const auto device = SonosParameters().make();
  const auto programmed = device->program(std::vector<float>(1000, 8e-6f), address);
  EXPECT_EQ(device->read(programmed, after(50 * day_s), address).mean_S,
            device->read(programmed, after(5 * day_s), address).mean_S);
}

TEST(Sonos, MeanAndSpreadFollowTheFitsAtEveryAge) {
  const auto device = SonosParameters().make();
  for (const double i_nA : {50.0, 400.0, 1600.0}) {
    const auto programmed = device->program(std::vector<float>(200000, static_cast<float>(i_nA * 1e-8)), address);
    for (const double age_s : {0.0, 0.5 * day_s, day_s, 4.3 * day_s}) {
      const auto m = moments(device->read(programmed, after(age_s), address).mean_S);
      const double mean_nA = i_nA + sonos_drift<double>(age_s).shift_nA(i_nA);
      const double sigma_nA = sonos_spread<double>(age_s).sigma_nA(mean_nA);
      EXPECT_LT(std::abs(test::mean_z(m, mean_nA * 1e-8, sigma_nA * 1e-8)), z_limit) << i_nA << " " << age_s;
      EXPECT_LT(std::abs(test::variance_z(m, sigma_nA * 1e-8)), z_limit) << i_nA << " " << age_s;
    }
  }
}

TEST(Sonos, ReadNoiseBelongsToTheCurrent) {
  const auto device = SonosParameters().make();
  const auto statistics =
      device->read(device->program(std::vector<float>(1000, 4e-6f), address), after(day_s), address);
  for (std::size_t i = 0; i < 1000; ++i) {
    const double sigma_S = 12.58037e-8 * (1 - std::exp(-static_cast<double>(statistics.mean_S[i]) * 1e8 / 215.36557));
    ASSERT_NEAR(statistics.variance_S2[i], sigma_S * sigma_S, 1e-5 * sigma_S * sigma_S);
  }
}

}  // namespace
}  // namespace tellegen::devices
