// What models of memristors make of tanh g sech g.

#include "tellegen/circuits/front_end/memglu_memristor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

MemristorLoop loop_of(const std::string& yaml) {
  struct File {
    MemristorLoop drive;
    void settings(Settings& v) { v.section("drive", drive, "the memristor"); }
  } file;
  read_config_text("drive: {" + yaml + "}", "test.yaml", file);
  return file.drive;
}

double largest_deviation(const MemristorGate& gate) {
  double worst = 0;
  for (double g = -8; g <= 8; g += 0.01) {
    worst = std::max(worst, std::abs(gate.value(g) - devices::hyperbolic_gate(g)));
  }
  return worst;
}

/// HP's device whose conductance swings by u from peak to peak, drawn around 8 kohm by 1 V.
MemristorLoop hp(double u) {
  constexpr double on_ohm = 100, off_ohm = 16000, centre_ohm = 8000, k = 1e-14 * on_ohm / 1e-16;
  MemristorLoop loop;
  loop.start = (off_ohm - centre_ohm) / (off_ohm - on_ohm);
  const double flux_Vs = u * centre_ohm * centre_ohm / (2 * (off_ohm - on_ohm) * k);
  loop.frequency = Frequency::si(1 / (2 * std::numbers::pi * flux_Vs));
  return loop;
}

TEST(MemristorGate, IdealDeviceGivesTheGate) {
  const MemristorGate gate(
      loop_of("memristor: {model: flux_controlled, flux_max: 0.05, w1: 2e-4}, frequency: 10 Hz, start: 0.5"));
  EXPECT_LE(largest_deviation(gate), 1e-9);
  // N = W_1 V^2 / omega.
  EXPECT_NEAR(gate.scale_A(), 2e-4 / (2 * std::numbers::pi * 10), 1e-12);
  EXPECT_NEAR(gate.value(std::asinh(1.0)), 0.5, 1e-9);
  EXPECT_NEAR(gate.value_at_level(std::numbers::sqrt2 / 2), 0.5, 1e-9);
}

TEST(MemristorGate, IdealDeviceFollowsTheStoredVectors) {
  std::ifstream file(TELLEGEN_SOURCE_DIR "/tests/data/front_end/memglu_softmax.json");
  const auto branch = nlohmann::json::parse(file).at("branch");
  const auto number = [](const nlohmann::json& text) { return std::stod(text.get<std::string>()); };
  const MemristorGate gate(
      loop_of("memristor: {model: flux_controlled, flux_max: 0.05, w1: 2e-4}, frequency: 10 Hz, start: 0.5"));
  ASSERT_EQ(branch.at("xi").size(), 33u);
  for (std::size_t k = 0; k < 33; ++k) {
    EXPECT_NEAR(gate.value_at_level(number(branch.at("xi")[k])), number(branch.at("separation")[k]), 1e-9) << k;
  }
  const auto& example = branch.at("example");
  for (const auto& point : example.at("points")) {
    const double half = 0.5 * (number(point.at("i_down")) - number(point.at("i_up")));
    EXPECT_NEAR(number(example.at("scale")) * gate.value_at_level(number(point.at("xi"))), half, 1e-9);
  }
}

TEST(MemristorGate, HpDeviatesWithItsSwing) {
  struct Row {
    double u, deviation, of_theory_scale, half_unit;
  };
  for (const Row row : {Row{0.1, 7.9e-4, 2.0e-3, 0.05e-3}, Row{0.2, 3.2e-3, 8.3e-3, 0.05e-3},
                        Row{0.5, 2.3e-2, 6.0e-2, 0.5e-3}, Row{0.9, 0.150, 0.368, 0.5e-3}}) {
    const MemristorGate gate(hp(row.u));
    EXPECT_NEAR(largest_deviation(gate), row.deviation, row.half_unit) << row.u;
    EXPECT_NEAR(*gate.shape().max_deviation, row.deviation, row.half_unit) << row.u;
    // Scaled by N = V u / (2 M_c) instead.
    const double n_A = row.u / (2 * 8000);
    double worst = 0;
    for (double g = 0; g <= 8; g += 0.01) {
      worst = std::max(worst, std::abs(gate.value(g) * gate.scale_A() / n_A - devices::hyperbolic_gate(g)));
    }
    EXPECT_NEAR(worst, row.of_theory_scale, row.of_theory_scale < 0.01 ? 0.05e-3 : 0.5e-3) << row.u;
  }
}

TEST(MemristorGate, VteamFollowsItsThreshold) {
  const std::string symmetric =
      "memristor: {model: vteam, r_on: 1 kohm, r_off: 100 kohm, k_on: -1e-4, k_off: 1e-4, a_on: 1, a_off: 1, "
      "v_on: -0.2 V, v_off: 0.2 V}, frequency: 10 MHz, start: 0.5, amplitude: ";
  EXPECT_NEAR(largest_deviation(MemristorGate(loop_of(symmetric + "0.4 V"))), 0.0538, 0.0003);
  EXPECT_NEAR(largest_deviation(MemristorGate(loop_of(symmetric + "1 V"))), 0.0145, 0.0002);
  EXPECT_NEAR(largest_deviation(MemristorGate(loop_of(symmetric + "4 V"))), 0.0029, 0.0001);
  // The published set is a gate on one side only: the other runs to the end of its range.
  const MemristorGate published(loop_of("memristor: {model: vteam}, frequency: 100 MHz, start: 0.5, amplitude: 0.5 V"));
  EXPECT_NEAR(*published.shape().lobe_deviation_positive, 1.2e-3, 0.1e-3);
  EXPECT_GT(largest_deviation(published), 1);
  EXPECT_NEAR(published.drift(), -0.5, 1e-3);
}

TEST(MemristorGate, YakopcicIsAGateOnOneSideOnly) {
  const MemristorGate gate(loop_of("memristor: {model: yakopcic}, frequency: 10 kHz, start: 0.11, amplitude: 0.45 V"));
  EXPECT_NEAR(*gate.shape().lobe_deviation_positive, 0.036, 0.0005);
  EXPECT_NEAR(*gate.shape().max_deviation, 0.666, 0.002);
}

TEST(MemristorGate, LockInHasTheShapeOfEveryDevice) {
  MemristorLoop loop = hp(0.9);
  loop.sampling = BranchSampling::lock_in;
  EXPECT_LE(largest_deviation(MemristorGate(loop)), 1e-9);
  // Half a size b of sin(2 theta), least squares: the same as of the plain difference.
  EXPECT_DOUBLE_EQ(MemristorGate(loop).scale_A(), MemristorGate(hp(0.9)).scale_A());
}

TEST(MemristorGate, OnePerCentPerReadIsAFifthOfThePeak) {
  MemristorLoop loop = hp(0.1);
  loop.read_noise = 0.01;
  const MemristorGate gate(loop);
  // The signal is 0.354 u of the carrier at the peak; two independent reads leave 1 % / sqrt 2 of the carrier.
  EXPECT_NEAR(gate.signal_share(), 0.1 / std::sqrt(8.0), 2e-4);
  EXPECT_NEAR(gate.noise(std::asinh(1.0)) / 0.5, 0.01 / std::numbers::sqrt2 / gate.signal_share(), 1e-3);
  EXPECT_NEAR(gate.noise(std::asinh(1.0)) / 0.5, 0.2, 0.002);
}

TEST(MemristorGate, AnEvaluationTakesTheEnergyOfItsCycles) {
  // u = 0.01: an almost constant 8 kohm under a sinusoid of 1 V, V^2 / (2 R) T per cycle.
  MemristorLoop loop = hp(0.01);
  const MemristorGate one(loop);
  EXPECT_NEAR(one.energy_J(), 1.0 / (2 * 8000) * one.duration_s(), 1e-4 * one.energy_J());
  EXPECT_NEAR(one.charge_C(), 2 / std::numbers::pi / 8000 * one.duration_s(), 1e-4 * one.charge_C());
  loop.cycles = 3;
  const MemristorGate three(loop);
  EXPECT_NEAR(three.energy_J(), 3 * one.energy_J(), 1e-6 * one.energy_J());
  EXPECT_DOUBLE_EQ(three.evaluations(), one.evaluations() / 3);
  EXPECT_DOUBLE_EQ(one.evaluations(), 1e9);
}

}  // namespace
}  // namespace tellegen::circuits
