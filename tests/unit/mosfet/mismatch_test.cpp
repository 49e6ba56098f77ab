#include "tellegen/devices/mosfet/mismatch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tellegen/devices/technology/physical_constants.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

TEST(Mismatch, EqualsTheVectors) {
  const double thermal_V = thermal_voltage_V(300);
  for (const auto& row : test::mosfet_vectors("mismatch").at("rows")) {
    MosfetConfig config;
    const double pair_Vm = row.at("A_mV_um_per_device").get<double>() * 1e-9 * std::numbers::sqrt2;
    config.card.a_vt_weak = config.card.a_vt_strong = MatchingCoefficient::si(pair_Vm);
    config.card.a_beta = Length::si(0);
    config.width = Length::si(1e-6);
    config.length = row.at("WL_um2").get<double>() * Length::si(1e-6);
    const Mismatch pair = pair_mismatch(config, 1e-3);
    EXPECT_RELATIVE(pair.threshold_V * 1e3, row.at("sigma_pair_offset_mV").get<double>(), 1e-12);
    EXPECT_RELATIVE(pair.threshold_V * 1e3 / std::numbers::sqrt2, row.at("sigma_dev_mV").get<double>(), 1e-12);
    // In the limit of weak inversion (G = 1) the offset in units of n kT/q is the relative error of a mirror.
    EXPECT_RELATIVE(mirror_error(pair, 1.3, thermal_V, 0), row.at("mirror_rel_sigma_weak").get<double>(), 1e-12);
    EXPECT_RELATIVE(pair_offset_V(pair, 1.3, thermal_V, 0) / (1.3 * thermal_V),
                    row.at("theta_sigma_units_tau1_n1p3").get<double>(), 1e-12);
  }
}

TEST(Mismatch, OffsetAndMirrorAreOneLawSeenFromTwoSides) {
  const Mismatch pair{3e-3, 0.01};
  const double thermal_V = thermal_voltage_V(300);
  for (const double ic : {1e-3, 1.0, 100.0}) {
    const double volts_per_share = 1.4 * thermal_V * (1 + std::sqrt(1 + 4 * ic)) / 2;
    EXPECT_RELATIVE(pair_offset_V(pair, 1.4, thermal_V, ic), volts_per_share * mirror_error(pair, 1.4, thermal_V, ic),
                    1e-13);
  }
}

TEST(Mismatch, Sky130FollowsItsSimulatedTransistorsFromWeakToStrongInversion) {
  const MosfetConfig config(find_mosfet("sky130_nfet_01v8"));
  const double specific_A = config.card.specific_current.si() * (config.width / config.length);
  double worst = 0;
  for (const auto& row : test::mosfet_vectors("ngspice_sky130_mismatch").at("rows")) {
    const double ic = row.at("I_D_A").get<double>() / specific_A;
    const double simulated_Vm = row.at("A_pair_difference_mV_um").get<double>() * 1e-9;
    worst = std::max(worst, std::abs(matching_coefficient_Vm(config.card, ic) / simulated_Vm - 1));
  }
  EXPECT_LT(worst, 0.062);
  // One number for all currents would be wrong by almost a factor of 2.
  EXPECT_GT(matching_coefficient_Vm(config.card, 1e-4), 1.85 * matching_coefficient_Vm(config.card, 10));
}

TEST(Mismatch, DrawsScatterAsAskedAndBelongToTheirAddress) {
  const Mismatch pair{5e-3, 0.02};
  const StreamPlace place{3, 1, 0};
  const Stream threshold(2026, Purpose::mismatch, place), beta(2026, Purpose::mismatch, {3, 1, 1});
  constexpr std::size_t count = 200000;
  std::vector<float> shift_V(count), error(count);
  sample_mismatch(pair, threshold, beta, 0, shift_V, error);
  double squares = 0, beta_squares = 0, product = 0;
  for (std::size_t k = 0; k + 1 < count; k += 2) {
    const double difference_V = shift_V[k] - shift_V[k + 1], difference = error[k] - error[k + 1];
    squares += difference_V * difference_V;
    beta_squares += difference * difference;
    product += difference_V * difference;
  }
  const double pairs = count / 2.0;
  // Variance of a variance estimate: 2/pairs of its square; 5 standard deviations.
  EXPECT_NEAR(squares / pairs / (5e-3 * 5e-3), 1, 5 * std::sqrt(2 / pairs));
  EXPECT_NEAR(beta_squares / pairs / (0.02 * 0.02), 1, 5 * std::sqrt(2 / pairs));
  EXPECT_NEAR(product / pairs / (5e-3 * 0.02), 0, 5 / std::sqrt(pairs));
  std::vector<float> part_V(10), part(10);
  sample_mismatch(pair, threshold, beta, 77, part_V, part);
  EXPECT_EQ(part_V[3], shift_V[80]);
  EXPECT_EQ(part[3], error[80]);
}

}  // namespace
}  // namespace tellegen::devices
