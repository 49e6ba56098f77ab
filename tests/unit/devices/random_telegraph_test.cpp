#include "tellegen/devices/random_telegraph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "sample_statistics.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

const Stream stream(5, Purpose::test, {});

RandomTelegraph trap_of_vectors() {
  const auto vectors = test::conductance_vectors("RTN_two_level");
  return {vectors.at("tau_capture_s(high->low)"), vectors.at("tau_emission_s")};
}

TEST(RandomTelegraph, EqualsTheVectors) {
  const auto vectors = test::conductance_vectors("RTN_two_level");
  const RandomTelegraph trap = trap_of_vectors();
  const double step_S = vectors.at("dG");
  EXPECT_NEAR(trap.share_empty(), vectors.at("p_high"), 1e-15);
  EXPECT_NEAR(trap.variance_S2(step_S), vectors.at("variance"), 1e-12 * 1.6e-13);
  ASSERT_FALSE(vectors.at("psd_rows").empty() || vectors.at("step_rows").empty());
  for (const auto& row : vectors.at("psd_rows")) {
    const double density = row.at("S");
    EXPECT_NEAR(trap.spectrum_S2_per_Hz(step_S, row.at("f")), density, 1e-12 * density);
  }
  for (const auto& row : vectors.at("step_rows")) {
    EXPECT_NEAR(1 - trap.fills_within(row.at("dt")), row.at("P_hh").get<double>(), 1e-12);
  }
}

TEST(RandomTelegraph, SpectrumIntegratesToTheVariance) {
  const RandomTelegraph trap{2e-3, 0.5e-3};
  // f = f_c tan(u) maps all frequencies to 0 .. pi/2, where the integrand of a Lorentzian is constant.
  const double corner_Hz = 1 / (2 * std::numbers::pi * trap.relaxation_s());
  double integral_S2 = 0;
  constexpr int points = 1000;
  for (int k = 0; k < points; ++k) {
    const double u = (k + 0.5) / points * std::numbers::pi / 2;
    integral_S2 += trap.spectrum_S2_per_Hz(3e-6, corner_Hz * std::tan(u)) * corner_Hz / std::pow(std::cos(u), 2);
  }
  integral_S2 *= std::numbers::pi / 2 / points;
  EXPECT_NEAR(integral_S2, trap.variance_S2(3e-6), 1e-12 * trap.variance_S2(3e-6));
}

TEST(RandomTelegraph, TwoHalfStepsAreOneWholeStep) {
  const RandomTelegraph trap = trap_of_vectors();
  for (const double t_s : {1e-6, 1e-3, 7e-3}) {
    const double fills = trap.fills_within(t_s / 2), empties = trap.empties_within(t_s / 2);
    EXPECT_NEAR(fills * (1 - empties) + (1 - fills) * fills, trap.fills_within(t_s), 1e-15);
  }
}

/// Share of filled traps after `steps` steps that together take t_s.
double filled_after(const RandomTelegraph& trap, double t_s, int steps, std::size_t traps) {
  std::vector<std::uint8_t> filled(traps, 0);
  for (int k = 0; k < steps; ++k)
    advance_traps(trap, t_s / steps, stream, static_cast<std::uint64_t>(k) * traps, filled);
  return test::moments(filled).mean;
}

TEST(AdvanceTraps, ReachesTheExactProbabilityWithAnyStep) {
  const RandomTelegraph trap = trap_of_vectors();
  constexpr std::size_t traps = 400000;
  const double expected = trap.fills_within(1e-3);
  const double error = std::sqrt(expected * (1 - expected) / traps);
  for (const int steps : {1, 2, 20}) {
    EXPECT_LT(std::abs(filled_after(trap, 1e-3, steps, traps) - expected) / error, test::z_limit) << steps;
  }
}

TEST(AdvanceTraps, HasTheVarianceAndTheCovarianceOfTheClosedForm) {
  const RandomTelegraph trap{1e-3, 3e-3};
  constexpr std::size_t traps = 200000;
  std::vector<std::uint8_t> filled(traps, 0);
  advance_traps(trap, 1, stream, 0, filled);  // a thousand times the relaxation time: equilibrium
  const std::vector<std::uint8_t> before = filled;
  advance_traps(trap, 0.4e-3, stream, traps, filled);
  const double share = trap.share_filled();
  double covariance = 0;
  for (std::size_t i = 0; i < traps; ++i) covariance += (before[i] - share) * (filled[i] - share) / traps;
  const double expected = trap.covariance_S2(1, 0.4e-3);
  // Products of two centred 0-1 variables have at most the fourth moment of one of them as second moment.
  const double fourth = share * (1 - share) * (std::pow(1 - share, 3) + std::pow(share, 3));
  EXPECT_LT(std::abs(covariance - expected) / std::sqrt(fourth / traps), test::z_limit);
  EXPECT_NEAR(expected, 0.75 * 0.25 * std::exp(-0.4 / 0.75), 1e-15);
  const auto m = test::moments(filled);
  EXPECT_LT(std::abs(m.mean - share) / std::sqrt(share * (1 - share) / traps), test::z_limit);
}

}  // namespace
}  // namespace tellegen::devices
