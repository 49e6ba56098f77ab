#include "tellegen/devices/cell_law.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vectors.h"

namespace tellegen::devices {
namespace {

const std::vector<CellLaw>& laws() {
  static const std::vector<CellLaw> all{OhmicLaw{}, SinhLaw{0.25}, CubicLaw{0.6}, MiloLaw{}};
  return all;
}
double current_A(const CellLaw& law, double g_S, double v_V) {
  return std::visit([&](const auto& l) { return l.current_A(g_S, v_V); }, law);
}
double slope_S(const CellLaw& law, double g_S, double v_V) {
  return std::visit([&](const auto& l) { return l.slope_S(g_S, v_V); }, law);
}

TEST(SinhLaw, EqualsTheVectors) {
  const auto rows = test::conductance_vectors("sinh_IV").at("rows");
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const SinhLaw law{row.at("V0")};
    const double v_V = row.at("V"), g_S = 40e-6;
    const double expected = row.at("I_over_GV"), ratio = row.at("ratio");
    EXPECT_NEAR(law.current_A(g_S, v_V) / (g_S * v_V), expected, 1e-12 * expected);
    EXPECT_NEAR(law.current_A(g_S, v_V) / (2 * law.current_A(g_S, v_V / 2)), ratio, 1e-12 * ratio);
  }
}

TEST(MiloLaw, EqualsTheVectors) {
  const auto rows = test::conductance_vectors("RRAM_Milo_CrossSim").at("IV_polynomial");
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double g_S = row.at("G0_S");
    EXPECT_NEAR(MiloLaw::square_A_per_V2(g_S), row.at("NL2").get<double>(), 1e-16);
    EXPECT_NEAR(MiloLaw::cube_A_per_V3(g_S), row.at("NL3").get<double>(), 1e-16);
    for (const auto& [v_V, i_A] : row.at("I_A_at").items()) {
      EXPECT_NEAR(MiloLaw().current_A(g_S, std::stod(v_V)), i_A.get<double>(), 1e-12 * std::abs(i_A.get<double>()));
    }
  }
}

TEST(CubicLaw, DoublesTheCurrentAtItsVoltageInBothDirections) {
  const CubicLaw law{0.6};
  EXPECT_DOUBLE_EQ(law.current_A(10e-6, 0.6), 2 * 10e-6 * 0.6);
  EXPECT_DOUBLE_EQ(law.current_A(10e-6, -0.6), -2 * 10e-6 * 0.6);
}

TEST(EveryCellLaw, HasSlopeGAtZeroAndItsSlopeIsTheDerivative) {
  for (const CellLaw& law : laws()) {
    for (const double g_S : {60e-6, 100e-6, 220e-6}) {
      EXPECT_EQ(current_A(law, g_S, 0), 0) << law.index();
      EXPECT_DOUBLE_EQ(slope_S(law, g_S, 0), g_S) << law.index();
      for (const double v_V : {-0.45, -0.1, 0.02, 0.3, 0.5}) {
        constexpr double h_V = 1e-4;
        // Five points: exact for the polynomials, error h^4 / 30 times the fifth derivative (g cosh / v0^4) otherwise.
        const double difference_S = (8 * (current_A(law, g_S, v_V + h_V) - current_A(law, g_S, v_V - h_V)) -
                                     (current_A(law, g_S, v_V + 2 * h_V) - current_A(law, g_S, v_V - 2 * h_V))) /
                                    (12 * h_V);
        EXPECT_NEAR(slope_S(law, g_S, v_V), difference_S, 1e-10 * g_S) << law.index() << " " << v_V;
      }
    }
  }
}

TEST(EveryCellLaw, IsPassive) {
  for (const CellLaw& law : laws()) {
    for (double g_S = 50e-6; g_S <= 225e-6; g_S += 5e-6) {
      for (double v_V = -0.5; v_V <= 0.5; v_V += 0.05) EXPECT_GE(current_A(law, g_S, v_V) * v_V, 0) << law.index();
    }
  }
}

struct File {
  CellLawConfig iv;
  void settings(Settings& v) { v.section("iv", iv, "current of a cell"); }
};

TEST(CellLawConfig, MakesTheLawThatItNames) {
  File file;
  EXPECT_TRUE(std::holds_alternative<OhmicLaw>(file.iv.make()));
  read_config_text("iv: {law: sinh, v0: 330 mV}", "chip.yaml", file);
  EXPECT_DOUBLE_EQ(std::get<SinhLaw>(file.iv.make()).v0_V, 0.33);
  read_config_text("iv: {law: cubic, v0: 1 V}", "chip.yaml", file);
  EXPECT_DOUBLE_EQ(std::get<CubicLaw>(file.iv.make()).v0_V, 1);
  read_config_text("iv: {law: milo}", "chip.yaml", file);
  EXPECT_TRUE(std::holds_alternative<MiloLaw>(file.iv.make()));
  try {
    read_config_text("iv: {law: sine}", "chip.yaml", file);
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "chip.yaml:1:11: iv.law = 'sine' is not known. Known values: ohmic, sinh, cubic, milo; did you mean "
                 "'sinh'?");
  }
}

}  // namespace
}  // namespace tellegen::devices
