// Crossings against closed forms.

#include "tellegen/circuits/front_end/crossing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/gilbert.h"
#include "tellegen/circuits/front_end/two_pole_response.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

struct File {
  CrossingConfig crossing;
  void settings(Settings& v) { v.section("crossing", crossing, "the circuit"); }
};

std::unique_ptr<Crossing> made(const std::string& yaml, double temperature_K = 300) {
  File file;
  read_config_text("crossing: {" + yaml + "}", "test.yaml", file);
  return file.crossing.make(Temperature::si(temperature_K));
}

TEST(TwoPoleResponse, BandwidthIsWhereHalfThePowerIs) {
  for (const TwoPoleResponse response : {TwoPoleResponse{1e-8, 0}, {1e-8, 1e-17}, {1e-8, 5e-17}, {1e-9, 1e-16}}) {
    const std::complex<double> s(0, 2 * std::numbers::pi * response.bandwidth_Hz());
    EXPECT_NEAR(std::norm(1.0 / (1.0 + response.first_s * s + response.second_s2 * s * s)), 0.5, 1e-12);
  }
  EXPECT_NEAR(TwoPoleResponse({1e-8, 0}).settling_s(8), 9 * std::numbers::ln2 * 1e-8, 1e-20);
}

TEST(TwoPoleResponse, FlatCapacitanceMakesItFlat) {
  constexpr double r_ohm = 1e5, input_F = 1e-13, unity_per_s = 1e8, slow_s = 6e-9;
  const double c_F = flat_capacitance(r_ohm, input_F, unity_per_s, slow_s);
  ASSERT_GT(c_F, 0);
  const double b = r_ohm * c_F + slow_s, a = r_ohm * (input_F + c_F) / unity_per_s;
  EXPECT_NEAR(b * b / (2 * a), 1, 1e-12);
  EXPECT_EQ(flat_capacitance(1e3, 1e-15, 1e9, 1e-6), 0);
}

TEST(Transimpedance, GainIsThatOfAFiniteAmplifier) {
  const auto tia = made("circuit: transimpedance, feedback: 100 kohm, source: 25 kohm, gain: 500");
  // One node: I + (V_o - V) / R - V / R_s = 0, V_o = -A V.
  const double r = 1e5, rs = 25e3, a = 500, i = 1e-6;
  const double v = i / ((1 + a) / r + 1 / rs);
  EXPECT_NEAR(tia->transfer(i), -a * v, 1e-12);
  EXPECT_DOUBLE_EQ(tia->ideal(i), -0.1);
  EXPECT_NEAR(tia->errors().input_ohm, r / (1 + a), 1e-9);
}

TEST(Transimpedance, NoiseOfTheResistorAloneIsItsThermalNoise) {
  // A source of very high resistance and an amplifier with so much current that its own noise is small.
  const auto tia =
      made("circuit: transimpedance, source: 1e12 ohm, bias: 10 mA, mosfet: {flicker: 0 mV*um, width: 10000 um}");
  const double band_Hz = 0.5 * std::numbers::pi * tia->errors().bandwidth_Hz;
  const double expected = std::sqrt(4 * devices::boltzmann_J_per_K * 300 * 1e5 * band_Hz);
  EXPECT_NEAR(tia->errors().noise / expected, 1, 0.01);
}

TEST(Conveyor, DividesTheCurrentWithItsSource) {
  const auto conveyor = made("circuit: current_conveyor, source: 20 kohm, regulation: 0, conductance_per_V: 0");
  const double r = conveyor->errors().input_ohm;
  EXPECT_NEAR(conveyor->transfer(1e-6), 1e-6 * 20e3 / (20e3 + r), 1e-18);
  const auto regulated = made("circuit: current_conveyor, source: 20 kohm, regulation: 30, conductance_per_V: 0");
  EXPECT_NEAR(regulated->errors().input_ohm, r / 31, 1e-9 * r);
  EXPECT_EQ(regulated->errors().offset, 0);
}

TEST(Conveyor, NoiseIsShotNoiseOfFourTransistorsInWeakInversion) {
  const auto conveyor = made("circuit: current_conveyor, bias: 1 pA, mosfet: {flicker: 0 mV*um, white_excess: 1}");
  const double band_Hz = 0.5 * std::numbers::pi * conveyor->errors().bandwidth_Hz;
  EXPECT_NEAR(conveyor->errors().noise / std::sqrt(4 * 2 * devices::elementary_charge_C * 1e-12 * band_Hz), 1, 1e-3);
}

TEST(SampleHold, NoiseDroopAndInjection) {
  const auto hold = made("circuit: sample_hold, capacitor: 50 fF, hold: 2 us, leakage: 3 pA, injected: 0");
  EXPECT_NEAR(hold->errors().noise, std::sqrt(devices::boltzmann_J_per_K * 300 / 50e-15), 1e-12);
  EXPECT_NEAR(hold->errors().offset, -3e-12 * 2e-6 / 50e-15, 1e-15);
  EXPECT_EQ(hold->errors().gain_error, 0);
  const auto injecting = made("circuit: sample_hold, capacitor: 50 fF, leakage: 0 A, injected: 0.5");
  // Half of 8.4 fF/um2 x 0.42 um x 0.15 um x (1.8 - V_T - n V).
  const double channel_F = 0.5 * 8.4e-3 * 0.42e-6 * 0.15e-6;
  EXPECT_NEAR(injecting->errors().offset, -channel_F * (1.8 - 0.6204) / 50e-15, 1e-9);
  EXPECT_NEAR(injecting->errors().gain_error, channel_F * 1.3738 / 50e-15, 1e-9);
  const auto cancelled = made("circuit: sample_hold, capacitor: 50 fF, leakage: 0 A, cancelled: 0.9");
  EXPECT_NEAR(cancelled->errors().offset, 0.1 * injecting->errors().offset, 1e-12);
}

TEST(Gilbert, IsTheProductInWeakInversion) {
  for (double g = -0.9; g <= 0.9; g += 0.3) {
    for (double u = -0.9; u <= 0.9; u += 0.3) EXPECT_NEAR(gilbert_product(g, u, 1e-14), g * u, 1e-12);
  }
}

TEST(Gilbert, SignsAndExchangeInEveryRegion) {
  for (const double tail : {0.1, 10.0}) {
    const double product = gilbert_product(0.6, 0.4, tail);
    EXPECT_NEAR(gilbert_product(-0.6, 0.4, tail), -product, 1e-12);
    EXPECT_NEAR(gilbert_product(0.6, -0.4, tail), -product, 1e-12);
    EXPECT_NEAR(gilbert_product(0, 0.4, tail), 0, 1e-12);
  }
  EXPECT_GT(std::abs(gilbert_product(0.6, 0.4, 10) - 0.24), 0.01);
}

TEST(Gilbert, AnOffsetOfADiodeActsAsTheSlopeOfThePair) {
  // Weak inversion: out = g tanh(artanh u + s / 2) for a shift s of diode a.
  GilbertTransistors transistors;
  transistors.shift[0] = 0.2;
  EXPECT_NEAR(gilbert_product(0.7, 0.3, 1e-14, transistors), 0.7 * std::tanh(std::atanh(0.3) + 0.1), 1e-12);
}

class EveryCrossing : public testing::TestWithParam<std::string> {
 protected:
  const CrossingEntry& entry() const { return find_crossing(GetParam()); }
};

TEST_P(EveryCrossing, EnergyOfTheSupplyIsAccountedFor) {
  const auto crossing = entry().defaults()->make(Temperature::si(300));
  const double full = crossing->full_scale();
  for (const double before : {0.0, 0.8 * full, -0.5 * full}) {
    for (const double input : {0.1 * full, 0.9 * full, -0.9 * full}) {
      const EnergyBook book = crossing->energy(before, input, crossing->cost().evaluation_s);
      EXPECT_GT(book.supply_J(), 0);
      EXPECT_LE(book.imbalance(), 1e-9);
    }
  }
}

TEST_P(EveryCrossing, HasErrorsAndCosts) {
  const auto crossing = entry().defaults()->make(Temperature::si(300));
  const CrossingErrors& errors = crossing->errors();
  EXPECT_GT(errors.noise, 0);
  EXPECT_GT(errors.bandwidth_Hz, 0);
  EXPECT_LT(std::abs(errors.gain_error), 0.1);
  const FrontEndCost& cost = crossing->cost();
  EXPECT_GT(cost.evaluation_s, 0);
  EXPECT_LE(cost.energy_J.low, cost.energy_J.typical);
  EXPECT_LE(cost.energy_J.typical, cost.energy_J.high);
  EXPECT_LT(cost.area_m2.low, cost.area_m2.high);
  EXPECT_FALSE(cost.assumptions.empty());
  const double input = 0.5 * crossing->full_scale();
  EXPECT_NEAR(crossing->transfer(input), crossing->ideal(input), 0.15 * std::abs(crossing->ideal(input)));
}

TEST_P(EveryCrossing, FileLoadsAsTheDefaultsAndNamesItsSource) {
  const auto path = std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/circuits" / (GetParam() + ".yaml");
  std::ifstream text(path);
  std::string first;
  ASSERT_TRUE(std::getline(text, first)) << path;
  EXPECT_TRUE(first.starts_with("# ") && first.size() > 40);
  File file, smallest, again;
  read_config(path, file);
  read_config_text(entry().smallest_yaml, "smallest.yaml", smallest);
  const std::string resolved = write_config(file);
  EXPECT_EQ(resolved, write_config(smallest));
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
  EXPECT_EQ(file.crossing.circuit, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Crossings, EveryCrossing, testing::ValuesIn(crossing_names()));

}  // namespace
}  // namespace tellegen::circuits
