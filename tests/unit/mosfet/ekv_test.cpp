#include "tellegen/devices/mosfet/ekv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "vectors.h"

namespace tellegen::devices {
namespace {

constexpr double tolerance = 1e-12;  // vectors carry 15 digits

TEST(Ekv, ChargesAndCurrentsEqualTheVectors) {
  const auto core = test::mosfet_vectors("ekv_core");
  for (const auto& row : core.at("rows")) {
    const double v = row.at("v");
    const double q = ekv::charge_of_voltage(v);
    EXPECT_RELATIVE(q, row.at("q").get<double>(), tolerance) << v;
    EXPECT_RELATIVE(ekv::current_of_charge(q), row.at("i_charge").get<double>(), tolerance) << v;
    EXPECT_RELATIVE(ekv::interpolated_current(v), row.at("i_interp").get<double>(), tolerance) << v;
  }
  for (const auto& row : core.at("gm_over_ID_nUT")) {
    const double ic = row.at("IC");
    EXPECT_RELATIVE(ekv::transconductance_efficiency(ic), row.at("charge").get<double>(), tolerance) << ic;
    EXPECT_RELATIVE(ekv::interpolated_efficiency(ic), row.at("interp").get<double>(), tolerance) << ic;
  }
}

TEST(Ekv, InterpolationIsNotTheChargeForm) {
  double worst = 0;
  for (int k = -1500; k <= 4000; ++k) {
    const double v = 0.01 * k;
    const double exact = ekv::current_of_charge(ekv::charge_of_voltage(v));
    worst = std::max(worst, std::abs(ekv::interpolated_current(v) / exact - 1));
  }
  EXPECT_NEAR(worst, test::mosfet_vectors("ekv_core").at("max_rel_diff_interp_vs_charge").get<double>(), 1e-12);
}

/// What an error of half a unit in the last place of v does to ln q, and of one to q itself.
double rounding_of(double v, double q) {
  return 4 * std::numeric_limits<double>::epsilon() * (1 + std::abs(v) / (1 + 2 * q));
}

TEST(Ekv, ChargeSolvesItsEquationToMachinePrecision) {
  for (double v = -600; v < 1e6; v += std::max(0.0137, 1e-3 * std::abs(v))) {
    const double q = ekv::charge_of_voltage(v);
    // d(ln q) = residual / (1 + 2 q)
    EXPECT_LE(std::abs(2 * q + std::log(q) - v) / (1 + 2 * q), rounding_of(v, q)) << v;
  }
}

TEST(Ekv, ExplicitInverseUndoesTheForwardModelInAllRegions) {
  for (double log_ic = -280; log_ic < 10; log_ic += 0.37) {
    const double ic = std::pow(10.0, log_ic);
    const double v = ekv::voltage_of_current(ic);
    const double q = ekv::charge_of_voltage(v);
    // di/i = dv (q / i) = dv / (1 + q)
    EXPECT_NEAR(ekv::current_of_charge(q) / ic, 1, 2 * rounding_of(v, q)) << ic;
  }
}

TEST(Ekv, ChargeVanishesFarBelowThreshold) {
  EXPECT_EQ(ekv::charge_of_voltage(-1000.0), 0.0);
  EXPECT_LT(ekv::charge_of_voltage(-1000.0f), 1e-37f);
}

TEST(Ekv, FloatKernelFollowsTheDoubleFormula) {
  for (float v = -80; v < 400; v += 0.0173f) {
    const double wanted = ekv::charge_of_voltage(static_cast<double>(v));
    EXPECT_RELATIVE(static_cast<double>(ekv::charge_of_voltage(v)), wanted, 1e-6) << v;
  }
}

TEST(Ekv, PinchOffEqualsTheVectors) {
  const auto vectors = test::mosfet_vectors("ekv_pinchoff");
  const ekv::PinchOff pinch_off{vectors.at("VTO"), vectors.at("gamma"), vectors.at("phi")};
  for (const auto& row : vectors.at("rows")) {
    const double v_gate_V = row.at("VG");
    EXPECT_NEAR(pinch_off.voltage_V(v_gate_V), row.at("VP").get<double>(), 1e-13) << v_gate_V;
    EXPECT_RELATIVE(pinch_off.slope(v_gate_V), row.at("n").get<double>(), tolerance) << v_gate_V;
  }
}

TEST(Ekv, SlopeIsTheInverseDerivativeOfPinchOff) {
  const ekv::PinchOff pinch_off{0.45, 0.5, 0.8};
  constexpr double h_V = 1e-5;
  for (const double v_gate_V : {0.1, 0.45, 1.0, 1.8}) {
    const double rate = (pinch_off.voltage_V(v_gate_V + h_V) - pinch_off.voltage_V(v_gate_V - h_V)) / (2 * h_V);
    EXPECT_NEAR(rate * pinch_off.slope(v_gate_V), 1, 1e-9);
  }
}

TEST(Ekv, VelocitySaturationEqualsTheVectors) {
  for (const auto& row : test::mosfet_vectors("sEKV_velocity_saturation").at("rows")) {
    const ekv::VelocitySaturation saturation{row.at("lambda_c")};
    const double q = row.at("q_s"), ic = row.at("IC");
    EXPECT_RELATIVE(saturation.inversion_coefficient(q), ic, tolerance);
    EXPECT_RELATIVE(saturation.charge(ic), row.at("q_from_IC").get<double>(), tolerance);
    EXPECT_RELATIVE(saturation.efficiency(ic), row.at("gmnUT_over_ID_formula").get<double>(), tolerance);
    EXPECT_RELATIVE(saturation.efficiency(ic), row.at("gmnUT_over_ID_numeric").get<double>(), 1e-8);
  }
}

TEST(Ekv, WithoutVelocitySaturationTheLongChannelFormsReturn) {
  const ekv::VelocitySaturation none{0};
  for (const double q : {1e-6, 0.1, 1.0, 30.0}) {
    EXPECT_RELATIVE(none.inversion_coefficient(q), ekv::current_of_charge(q), 1e-14);
    const double ic = ekv::current_of_charge(q);
    EXPECT_RELATIVE(none.efficiency(ic), ekv::transconductance_efficiency(ic), 1e-9);
  }
}

}  // namespace
}  // namespace tellegen::devices
