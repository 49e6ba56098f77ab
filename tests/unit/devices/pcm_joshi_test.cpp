#include "tellegen/devices/pcm_joshi.h"

#include <gtest/gtest.h>

#include <vector>

#include "pcm_law_test.h"
#include "sample_statistics.h"

namespace tellegen::devices {
namespace {

constexpr ArrayAddress address{7, {1, 2, 3}};
using test::moments;

std::vector<float> ramp_S(std::size_t cells, float g_max_S) {
  std::vector<float> g_S(cells);
  for (std::size_t i = 0; i < cells; ++i) g_S[i] = g_max_S * static_cast<float>(i) / static_cast<float>(cells - 1);
  return g_S;
}

std::vector<double> normals_of(Purpose purpose, std::size_t cells) {
  std::vector<double> draws(cells);
  const Stream stream = address.stream(purpose);
  for (std::size_t i = 0; i < cells; ++i) draws[i] = stream.normal_reference(i);
  return draws;
}

Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

TEST(PcmJoshi, LawEqualsTheVectors) {
  const auto vectors = test::conductance_vectors("PCM_aihwkit");
  EXPECT_EQ(JoshiLaw::times.t0_s, vectors.at("t0"));
  EXPECT_EQ(JoshiLaw::times.t_read_s, vectors.at("t_read"));
  test::expect_rows_of_law<JoshiLaw>(vectors.at("rows"), vectors.at("g_max"));
}

TEST(PcmJoshi, TimeFactorsEqualTheVectors) {
  const auto rows = test::conductance_vectors("PCM_aihwkit").at("time_rows");
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double age_s = row.at("t_inference");
    EXPECT_NEAR(std::sqrt(read_noise_log_time(age_s, 20.0, 250e-9)), row.at("sqrt_ln_factor"), 1e-12) << age_s;
    EXPECT_NEAR(std::exp(-0.05 * drift_log_time(age_s, 20.0)), row.at("drift_factor_nu_0p05"), 1e-12) << age_s;
    EXPECT_NEAR(std::exp(-0.1 * drift_log_time(age_s, 20.0)), row.at("drift_factor_nu_0p1"), 1e-12) << age_s;
  }
}

TEST(PcmJoshi, ReadNoiseEqualsTheVectors) {
  const auto rows = test::conductance_vectors("PCM_aihwkit").at("read_noise_example");
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double log_time = read_noise_log_time(row.at("t_inference"), 20.0, 250e-9);
    const double variance = pcm_read_variance<JoshiLaw, double>(row.at("g_rel"), 1.0, log_time);
    EXPECT_NEAR(std::sqrt(variance), row.at("sigma_read_rel_of_g_drift"), 1e-12);
  }
}

TEST(PcmJoshi, FloatFollowsDouble) { test::expect_float_follows_double<JoshiLaw>(); }

TEST(PcmJoshi, ReadNoiseNeverBecomesNegativeForAFirstReadWithinTheReadPulse) {
  EXPECT_EQ(read_noise_log_time(0.0, 1e-9, 250e-9), 0.0);
}

TEST(PcmJoshi, EveryCellFollowsTheFormulasForItsOwnDraws) {
  constexpr std::size_t cells = 9001;  // more than two blocks, and not a multiple of any vector
  const auto device = PcmJoshiParameters().make();
  const auto target_S = ramp_S(cells, 25e-6f);
  const auto programming = normals_of(Purpose::programming, cells), drift = normals_of(Purpose::drift, cells);
  const auto programmed = device->program(target_S, address);
  const double age_s = 86400;
  const auto statistics = device->read(programmed, after(age_s), address);
  for (std::size_t i = 0; i < cells; ++i) {
    const double target = static_cast<double>(target_S[i]) / 25e-6;
    const double share = std::max(0.0, target + JoshiLaw::programming_sigma(target) * programming[i]);
    ASSERT_NEAR(programmed.g_S[i], share * 25e-6, 4e-12) << i;
    const double achieved = static_cast<double>(programmed.g_S[i]) / 25e-6;
    const double nu = pcm_drift_exponent<JoshiLaw>(achieved, drift[i]);
    const double mean = achieved * std::exp(-nu * drift_log_time(age_s, 20.0));
    ASSERT_NEAR(statistics.mean_S[i], mean * 25e-6, 2e-6 * mean * 25e-6) << i;
    const double variance =
        pcm_read_variance<JoshiLaw>(achieved, mean * 25e-6, read_noise_log_time(age_s, 20.0, 250e-9));
    ASSERT_NEAR(statistics.variance_S2[i], variance, 1e-5 * variance) << i;
  }
}

TEST(PcmJoshi, SpreadOfOneTargetIsThePublishedOne) {
  for (const double g_max_uS : {25.0, 10.0}) {
    PcmJoshiParameters parameters;
    parameters.range.g_max = Conductance::si(g_max_uS * 1e-6);
    const std::vector<float> target_S(200000, static_cast<float>(0.5 * g_max_uS * 1e-6));
    const auto m = moments(parameters.make()->program(target_S, address).g_S);
    const double sigma_S = g_max_uS / 25.0 * (0.26348 + 1.9650 * 0.5 - 1.1731 * 0.25) * 1e-6;
    EXPECT_LT(std::abs(test::mean_z(m, 0.5 * g_max_uS * 1e-6, sigma_S)), test::z_limit);
    EXPECT_LT(std::abs(test::variance_z(m, sigma_S)), test::z_limit);
  }
}

TEST(PcmJoshi, CellAtZeroIsClippedAndKeepsThePositiveMean) {
  const auto row = test::conductance_vectors("clipping_bias").at("rows").at(0);
  ASSERT_EQ(row.at("mu"), 0.0);
  const double expected_S = row.at("mean_clipped").get<double>() * 1e-6;
  const std::vector<float> target_S(400000, 0.0f);
  const auto programmed = PcmJoshiParameters().make()->program(target_S, address);
  const auto m = moments(programmed.g_S);
  EXPECT_LT(std::abs(test::mean_z(m, expected_S, std::sqrt(m.variance))), test::z_limit);
  EXPECT_NEAR(static_cast<double>(programmed.clipped), 200000.0, test::z_limit * std::sqrt(100000.0));
}

// A code in wide use takes the noise amplitude of the drifted conductance; the measurement has that of the programmed
// one.
TEST(PcmJoshi, ReadNoiseAmplitudeBelongsToTheConductanceBeforeDrift) {
  const auto device = PcmJoshiParameters().make();
  ProgrammedCells programmed;
  programmed.g_S.assign(1000, 12.5e-6f);
  const auto statistics = device->read(programmed, after(365.25 * 86400), address);
  const double log_time = read_noise_log_time(365.25 * 86400, 20.0, 250e-9);
  const double q_before = 0.0088 / std::pow(0.5, 0.65);
  for (std::size_t i = 0; i < programmed.g_S.size(); ++i) {
    const double mean_S = statistics.mean_S[i];
    ASSERT_LT(mean_S, 0.8 * 12.5e-6) << "a year of drift must separate the two";
    const double sigma_S = std::sqrt(static_cast<double>(statistics.variance_S2[i]));
    EXPECT_NEAR(sigma_S, mean_S * q_before * std::sqrt(log_time), 1e-5 * sigma_S);
    const double q_after = 0.0088 / std::pow(mean_S / 25e-6, 0.65);
    EXPECT_LT(sigma_S, 0.9 * mean_S * q_after * std::sqrt(log_time));
  }
}

TEST(PcmJoshi, GrowingOlderNeverRaisesAMeanAndNeverQuietensARelativeRead) {
  const auto device = PcmJoshiParameters().make();
  const auto programmed = device->program(ramp_S(100000, 25e-6f), address);
  auto younger = device->read(programmed, after(0), address);
  for (const double age_s : {1e-3, 1.0, 60.0, 3600.0, 86400.0, 3.2e7, 3.2e8}) {
    const auto older = device->read(programmed, after(age_s), address);
    for (std::size_t i = 0; i < programmed.g_S.size(); ++i) {
      ASSERT_LE(older.mean_S[i], younger.mean_S[i]) << age_s;
      ASSERT_GE(older.variance_S2[i] * younger.mean_S[i] * younger.mean_S[i] * 1.00001f,
                younger.variance_S2[i] * older.mean_S[i] * older.mean_S[i])
          << age_s;
    }
    younger = older;
  }
}

TEST(PcmJoshi, AtAgeZeroTheMeanIsWhatWasProgrammed) {
  const auto device = PcmJoshiParameters().make();
  const auto programmed = device->program(ramp_S(5000, 25e-6f), address);
  EXPECT_EQ(device->read(programmed, after(0), address).mean_S, programmed.g_S);
}

}  // namespace
}  // namespace tellegen::devices
