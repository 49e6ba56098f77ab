#include "tellegen/devices/rram_cmo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sample_statistics.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using test::moments;
using test::z_limit;

constexpr ArrayAddress address{5, {0, 2, 0}};

Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

double programming_sigma_uS(CmoAcceptance acceptance, double g_uS) {
  const auto line = CmoLaw::programming_sigma(acceptance);
  return line.absolute_uS + line.proportional * g_uS;
}

TEST(RramCmo, LawEqualsTheVectors) {
  const auto vectors = test::conductance_vectors("RRAM_CMO_aihwkit");
  ASSERT_FALSE(vectors.at("rows").empty());
  for (const auto& row : vectors.at("rows")) {
    const double g_uS = row.at("G_uS");
    EXPECT_NEAR(programming_sigma_uS(CmoAcceptance::two_per_mille, g_uS), row.at("sigma_prog_0p2"), 1e-12);
    EXPECT_NEAR(programming_sigma_uS(CmoAcceptance::two_percent, g_uS), row.at("sigma_prog_2"), 1e-12);
    for (const auto& [age_s, name] : {std::pair{10.0, "t10"}, {3600.0, "t3600"}, {86400.0, "t86400"}}) {
      EXPECT_NEAR(CmoLaw::mean_shift_uS(age_s), row.at(std::string("mean_shift_") + name), 1e-12);
      EXPECT_NEAR(CmoLaw::relaxation_sigma_uS(age_s), row.at(std::string("sigma_relax_") + name), 1e-12);
    }
    EXPECT_NEAR(CmoLaw::read_amplitude_uS(g_uS) * std::sqrt(CmoLaw::read_log_time(3600)), row.at("sigma_read_t3600"),
                1e-12);
  }
}

// A code in wide use takes another key than it asks for, and programs to 0.2 % where 2 % was meant.
TEST(RramCmo, TwoPercentAcceptanceGivesItsOwnSpread) {
  RramCmoParameters p;
  p.acceptance = CmoAcceptance::two_percent;
  const auto programmed = p.make()->program(std::vector<float>(200000, 50e-6f), address);
  EXPECT_NEAR(programming_sigma_uS(CmoAcceptance::two_percent, 50), 0.5757, 5e-5);
  const auto m = moments(programmed.g_S);
  EXPECT_LT(std::abs(test::mean_z(m, 50e-6, 0.57573e-6)), z_limit);
  EXPECT_LT(std::abs(test::variance_z(m, 0.57573e-6)), z_limit);
}

TEST(RramCmo, RelaxationShiftsAndWidensAllConductancesAlike) {
  const auto device = RramCmoParameters().make();
  for (const double g_uS : {20.0, 80.0}) {
    const auto programmed = device->program(std::vector<float>(200000, static_cast<float>(g_uS * 1e-6)), address);
    for (const double age_s : {1.0, 3600.0, 86400.0}) {
      const auto m = moments(device->read(programmed, after(age_s), address).mean_S);
      const double mean_uS = g_uS - 0.08900206 * std::log(age_s);
      const double sigma_uS = std::hypot(programming_sigma_uS(CmoAcceptance::two_per_mille, g_uS),
                                         0.04201137 * std::log(age_s) + 0.41183342);
      EXPECT_LT(std::abs(test::mean_z(m, mean_uS * 1e-6, sigma_uS * 1e-6)), z_limit) << g_uS << " " << age_s;
      EXPECT_LT(std::abs(test::variance_z(m, sigma_uS * 1e-6)), z_limit) << g_uS << " " << age_s;
    }
  }
}

TEST(RramCmo, AnAgeBelowOneSecondCountsAsOneSecond) {
  const auto device = RramCmoParameters().make();
  const auto programmed = device->program(std::vector<float>(1000, 50e-6f), address);
  EXPECT_EQ(device->read(programmed, after(1e-3), address).mean_S, device->read(programmed, after(1), address).mean_S);
}

TEST(RramCmo, ReadNoiseGrowsWithTheTimeSinceProgramming) {
  const auto device = RramCmoParameters().make();
  const auto programmed = device->program(std::vector<float>(1000, 50e-6f), address);
  for (const double age_s : {0.0, 1.0, 3600.0}) {
    const auto statistics = device->read(programmed, after(age_s), address);
    const double log_time = std::max(0.0, std::log((age_s + 1e-6) / 2e-6));
    for (std::size_t i = 0; i < 1000; ++i) {
      const double amplitude_uS = 0.0277316483 * std::log10(static_cast<double>(statistics.mean_S[i]) * 1e6);
      const double variance_S2 = amplitude_uS * amplitude_uS * 1e-12 * log_time;
      ASSERT_NEAR(statistics.variance_S2[i], variance_S2, 2e-6 * variance_S2);
    }
  }
}

}  // namespace
}  // namespace tellegen::devices
