#include "tellegen/devices/fecap/charge_read.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "vectors.h"

namespace tellegen::devices {
namespace {

TEST(ChargeRead, EqualsTheVectors) {
  const auto vectors = test::fecap_vectors("charge_mac");
  const std::vector<double> c_F = vectors.at("C_F"), v_V = vectors.at("V");
  const double parasitic_F = vectors.at("C_par_F");
  constexpr double feedback_F = 10e-15;
  EXPECT_RELATIVE(shared_voltage_V(c_F, v_V, parasitic_F), vectors.at("passive_share_V").get<double>(), 1e-12);
  EXPECT_RELATIVE(amplifier_voltage_V(c_F, v_V, parasitic_F, feedback_F, std::numeric_limits<double>::infinity()),
                  vectors.at("active_ideal_V").get<double>(), 1e-12);
  for (const auto& row : vectors.at("active_finite_gain")) {
    EXPECT_RELATIVE(amplifier_voltage_V(c_F, v_V, parasitic_F, feedback_F, row.at("A0")), row.at("V").get<double>(),
                    1e-12);
  }
  double total_F = parasitic_F;
  for (const double c : c_F) total_F += c;
  EXPECT_RELATIVE(ktc_noise_V(total_F, 300), vectors.at("ktc_passive_Vrms").get<double>(), 1e-12);
  EXPECT_RELATIVE(ktc_noise_V(feedback_F, 300), vectors.at("ktc_Cf_Vrms").get<double>(), 1e-12);
  EXPECT_RELATIVE(read_energy_J(c_F, v_V), vectors.at("energy_per_read_J").get<double>(), 1e-12);
  for (const auto& row : vectors.at("ktc_rows")) {
    const double node_F = row.at("C_fF").get<double>() * 1e-15;
    EXPECT_RELATIVE(ktc_noise_V(node_F, 300) * 1e6, row.at("Vrms_uV").get<double>(), 1e-12);
    EXPECT_RELATIVE(ktc_noise_electrons(node_F, 300), row.at("electrons_rms").get<double>(), 1e-12);
  }
  const auto& injection = vectors.at("charge_injection_V");
  EXPECT_RELATIVE(charge_injection_V(injection.at("W"), injection.at("L"), injection.at("Cox"), injection.at("Vov"),
                                     injection.at("Chold")),
                  injection.at("dV_half_channel").get<double>(), 1e-12);
}

TEST(ChargeRead, FloatingColumnsEqualTheVectors) {
  const auto vectors = test::fecap_vectors("capacitive_crossbar_floating_columns");
  std::vector<double> c_F;
  for (const auto& row : vectors.at("C")) {
    for (const double c : row) c_F.push_back(c);
  }
  const std::vector<double> parasitic_F = vectors.at("C_par"), v_V = vectors.at("V_rows");
  const auto transfer = floating_column_transfer(c_F, parasitic_F);
  const std::size_t rows = v_V.size();
  for (std::size_t j = 0; j < parasitic_F.size(); ++j) {
    double column_V = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_RELATIVE(transfer[j * rows + i], vectors.at("T")[j][i].get<double>(), 1e-12);
      column_V += transfer[j * rows + i] * v_V[i];
    }
    EXPECT_RELATIVE(column_V, vectors.at("V_cols")[j].get<double>(), 1e-12);
  }
}

TEST(ChargeRead, SharingConservesCharge) {
  const std::vector<double> c_F{1e-15, 3e-15}, v_V{0.2, -0.1};
  const double shared_V = shared_voltage_V(c_F, v_V, 5e-15, 0.3);
  EXPECT_NEAR(1e-15 * (0.2 - shared_V) + 3e-15 * (-0.1 - shared_V) + 5e-15 * (0.3 - shared_V), 0, 1e-30);
}

}  // namespace
}  // namespace tellegen::devices
