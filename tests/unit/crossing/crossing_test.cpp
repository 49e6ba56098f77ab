// Crossings against closed forms.

#include "tellegen/circuits/front_end/crossing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/front_end/gilbert.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/two_pole_response.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/mosfet/mosfet.h"
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

TEST(Transimpedance, BandIsThatOfAnIntegratorWithFeedback) {
  // Weak inversion: one side of the pair has g_m = I_b / 2 over n kT/q, its gate 8.4 fF/um2 of 10 um2.
  const auto tia = made(
      "circuit: transimpedance, bias: 1 nA, feedback: 100 kohm, source: 25 kohm, source_capacitance: 100 fF, "
      "feedback_capacitance: 30 fF, load: 10 fF");
  const double unity_per_s = 0.5e-9 / (1.3738 * devices::thermal_voltage_V(300)) / 10e-15;
  const double b = 1e5 * 30e-15 + 5 / unity_per_s, a = 1e5 * (100e-15 + 84e-15 + 30e-15) / unity_per_s;
  const std::complex<double> s(0, 2 * std::numbers::pi * tia->errors().bandwidth_Hz);
  EXPECT_NEAR(std::norm(1.0 / (1.0 + b * s + a * s * s)), 0.5, 1e-3);
}

TEST(Transimpedance, OffsetOfThePairIsAmplified) {
  const auto tia = made("circuit: transimpedance, bias: 1 nA, feedback: 100 kohm, source: 25 kohm, gain: 500");
  // sky130: 11.1 mV um over the root of 10 um2, times 1 + R / R_s with a finite gain.
  const double expected_V = 11.1e-3 / std::sqrt(10.0) * 5 / (1 + 5.0 / 500);
  EXPECT_NEAR(tia->errors().offset_deviation / expected_V, 1, 0.01);
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

TEST(Conveyor, MirrorRisesWithTheVoltageAtItsOutput) {
  const auto conveyor = made("circuit: current_conveyor, bias: 1 nA, source: 1e15 ohm, conductance_per_V: 0.1");
  // In weak inversion 0.9 V stand at the output and V_T + n kT/q ln(I / I_spec) at the diode.
  devices::MosfetConfig card(devices::find_mosfet("sky130_nfet_01v8"));
  card.width = Length::si(10e-6);
  const devices::Mosfet transistor(card, Temperature::si(300));
  const double diode_V = transistor.threshold_V() + transistor.slope() * transistor.thermal_voltage_V() *
                                                        std::log(1e-9 / transistor.specific_current_A());
  EXPECT_NEAR(conveyor->errors().gain_error, 0.1 * (0.9 - diode_V), 1e-4);
  EXPECT_NEAR(conveyor->errors().offset, 1e-9 * conveyor->errors().gain_error, 1e-15);
  EXPECT_NEAR(conveyor->transfer(0), conveyor->errors().offset, 1e-24);
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

TEST(Multiplier, ErrorsAreThoseOfItsTransistors) {
  // Six transistors of each of 20000 multipliers, solved, and the mirrors of the two tails.
  const auto multiplier = made("circuit: gilbert_multiplier, factor: 0.6, mosfet: {width: 5 um, length: 5 um}");
  GateBias bias;
  bias.mosfet.width = bias.mosfet.length = Length::si(5e-6);
  const BiasedTransistor transistor(bias, Temperature::si(300));
  const TransistorSpread one = transistor_spread(bias, transistor, 0.25 * transistor.tail);
  const double mirror = devices::mirror_error(devices::pair_mismatch(bias.mosfet, 0.25 * transistor.tail),
                                              transistor.slope, transistor.thermal_V, 0.25 * transistor.tail);
  constexpr std::size_t count = 20000;
  const Stream stream(3, Purpose::mismatch, {});
  std::vector<float> draws(12);
  double offset = 0, gain = 0, mean = 0;
  for (std::size_t u = 0; u < count; ++u) {
    stream.normals(12 * u, draws);
    GilbertTransistors parts;
    for (std::size_t k = 0; k < 6; ++k) {
      parts.shift[k] = one.shift * static_cast<double>(draws[k]);
      parts.size[k] = 1 + one.size * static_cast<double>(draws[6 + k]);
    }
    const double at_zero = gilbert_product(0, 0.6, transistor.tail, parts);
    const double per_g = (gilbert_product(0.5, 0.6, transistor.tail, parts) - at_zero) / (0.5 * 0.6);
    offset += at_zero * at_zero / count;
    mean += per_g / count;
    gain += per_g * per_g / count;
  }
  const CrossingErrors& errors = multiplier->errors();
  // Four standard errors, and what is left of second order.
  EXPECT_NEAR(errors.offset_deviation / 10e-9 / std::hypot(std::sqrt(offset), 0.6 * mirror / std::sqrt(2.0)), 1, 0.03);
  EXPECT_NEAR(errors.gain_deviation / std::hypot(std::sqrt(gain - mean * mean), mirror), 1, 0.03);
  EXPECT_NEAR(errors.gain_error, gilbert_product(0.5, 0.6, transistor.tail) / 0.3 - 1, 1e-12);
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
