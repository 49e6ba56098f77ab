#include "tellegen/devices/fecap/landau.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "vectors.h"

namespace tellegen::devices {
namespace {

TEST(Landau, StaticsEqualTheVectors) {
  const auto vectors = test::fecap_vectors("landau_khalatnikov");
  const LandauCoefficients landau = LandauCoefficients::from_loop(0.18, 1.2e8);
  EXPECT_RELATIVE(landau.alpha, vectors.at("alpha").get<double>(), 1e-14);
  EXPECT_RELATIVE(landau.beta, vectors.at("beta").get<double>(), 1e-14);
  for (const auto& row : vectors.at("static_rows")) {
    EXPECT_NEAR(landau.field_V_per_m(row.at("P")), row.at("E").get<double>(), 1e-12 * 1.2e8);
  }
  EXPECT_RELATIVE(landau.permittivity(0.18), vectors.at("eps_r_at_Pr").get<double>(), 1e-12);
}

TEST(Landau, RemanentAndCoercivePointsAreThoseAskedFor) {
  for (const double p_r : {0.1, 0.25}) {
    for (const double e_c : {0.8e8, 2e8}) {
      const LandauCoefficients landau = LandauCoefficients::from_loop(p_r, e_c);
      EXPECT_NEAR(landau.field_V_per_m(p_r) / e_c, 0, 1e-14);
      EXPECT_GT(landau.stiffness(p_r), 0);
      const double turning = p_r / std::numbers::sqrt3;
      EXPECT_NEAR(landau.stiffness(turning) / landau.alpha, 0, 1e-14);
      EXPECT_NEAR(landau.field_V_per_m(turning) / e_c, -1, 1e-14);
      // alpha = -2 E_c/P_r with beta = E_c/(2 P_r^3), as some codes have it, rests at twice the polarization.
      const LandauCoefficients inconsistent{-2 * e_c / p_r, e_c / (2 * p_r * p_r * p_r)};
      EXPECT_NEAR(inconsistent.field_V_per_m(2 * p_r) / e_c, 0, 1e-14);
      EXPECT_GT(std::abs(inconsistent.field_V_per_m(p_r) / e_c), 1);
    }
  }
}

TEST(Landau, TransientEqualsTheVectors) {
  const auto vectors = test::fecap_vectors("landau_khalatnikov").at("transient");
  const LandauCoefficients landau = LandauCoefficients::from_loop(0.18, 1.2e8);
  const double amplitude = vectors.at("V_ampl").get<double>() / vectors.at("t_fe").get<double>();
  const FieldDrive drive = sinusoidal_field(amplitude, vectors.at("f"));
  std::vector<double> times_s, wanted;
  for (const auto& row : vectors.at("rows")) {
    times_s.push_back(row.at("t"));
    wanted.push_back(row.at("P"));
    EXPECT_NEAR(drive.field_V_per_m(times_s.back()), row.at("E").get<double>(), 1e-9 * amplitude);
  }
  const auto polarization = landau_khalatnikov(landau, vectors.at("rho_ohm_m"), drive, vectors.at("P0"), times_s);
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(polarization[k], wanted[k], 1e-6 * 0.18) << k;
}

TEST(Landau, ErrorFollowsTheTolerance) {
  const LandauCoefficients landau = LandauCoefficients::from_loop(0.18, 1.2e8);
  const FieldDrive drive = sinusoidal_field(3e8, 1e6);
  const std::vector<double> times_s{0, 0.2e-6, 0.7e-6};
  const auto at = [&](double tolerance) { return landau_khalatnikov(landau, 10, drive, -0.18, times_s, tolerance)[2]; };
  const double reference = at(1e-13);
  EXPECT_NEAR(at(1e-6), reference, 1e-6);
  EXPECT_NEAR(at(1e-9), reference, 1e-9);
  EXPECT_NEAR(at(1e-11), reference, 1e-11);
}

TEST(Landau, RelaxesAsTheLinearisedEquationSays) {
  // About P_r: rho dx/dt = -2 |alpha| x.
  const LandauCoefficients landau = LandauCoefficients::from_loop(0.18, 1.2e8);
  const double relaxation_s = 10 / (-2 * landau.alpha);
  const std::vector<double> times_s{0, relaxation_s};
  const auto polarization = landau_khalatnikov(landau, 10, constant_field(0), 0.18 + 1e-6, times_s, 1e-12);
  EXPECT_NEAR((polarization[1] - 0.18) / 1e-6, std::exp(-1), 2e-5);
}

TEST(Landau, SwitchesAboveTheCoerciveFieldOnly) {
  const LandauCoefficients landau = LandauCoefficients::from_loop(0.18, 1.2e8);
  const std::vector<double> times_s{0, 1e-5};
  EXPECT_LT(landau_khalatnikov(landau, 10, constant_field(1.19e8), -0.18, times_s)[1], -0.1);
  EXPECT_GT(landau_khalatnikov(landau, 10, constant_field(1.21e8), -0.18, times_s)[1], 0.18);
}

TEST(Landau, ASlowSweepIsStiffAndStillCheap) {
  // 1 Hz against a relaxation of 3 ns: an explicit method would take 1e8 steps.
  const LandauCoefficients landau = LandauCoefficients::from_loop(0.18, 1.2e8);
  int evaluations = 0;
  FieldDrive drive = sinusoidal_field(3e8, 1);
  const auto field = drive.field_V_per_m;
  drive.field_V_per_m = [&](double t_s) {
    ++evaluations;
    return field(t_s);
  };
  const std::vector<double> times_s{0, 0.25};
  const double p = landau_khalatnikov(landau, 10, drive, -0.18, times_s, 1e-8)[1];
  EXPECT_NEAR(landau.field_V_per_m(p) / 3e8, 1, 1e-6);
  EXPECT_LT(evaluations, 50000);
}

}  // namespace
}  // namespace tellegen::devices
