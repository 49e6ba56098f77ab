// The source-coupled array as a circuit: masks, floors, mismatch, noise, cost, energy.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "softmax_testing.h"
#include "tellegen/base/error.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/front_end/softmax_rivals.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

using test::exact_softmax;
using test::made;

const std::vector<double> z5{0.3, -1.2, 2.0, 0.7, -0.5};
const std::vector<float> z5f(z5.begin(), z5.end());

TEST(SoftmaxArray, IsTheSoftmaxWithoutLeakageInWeakInversion) {
  const auto circuit = made("circuit: softmax_array, bias: 1e-17 A, leakage: 0 A");
  const std::vector<double> p = circuit->row(z5), ideal = exact_softmax(z5);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(p[k], ideal[k], 1e-9);
  std::vector<float> fast(5);
  circuit->evaluate(z5f, 5, {}, {}, nullptr, 0, fast);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(static_cast<double>(fast[k]), ideal[k], 1e-6);
}

TEST(SoftmaxArray, EdgesAndMasks) {
  const auto circuit = made("circuit: softmax_array, leakage: 0 A");
  std::vector<float> one(1);
  circuit->evaluate(std::vector<float>{3.25f}, 1, {}, {}, nullptr, 0, one);
  EXPECT_FLOAT_EQ(one[0], 1);
  std::vector<float> p(8);
  const std::vector<float> z{1, 2, 9, 3, 1, 2, 9, 3};
  const std::vector<unsigned char> masked{0, 0, 1, 0, 1, 1, 1, 1};
  circuit->evaluate(z, 4, masked, {}, nullptr, 0, p);
  const std::vector<double> rest = circuit->row(std::vector<double>{1, 2, 3});
  EXPECT_NEAR(static_cast<double>(p[0]), rest[0], 1e-6);
  EXPECT_EQ(p[2], 0);
  EXPECT_NEAR(static_cast<double>(p[3]), rest[2], 1e-6);
  for (std::size_t k = 4; k < 8; ++k) EXPECT_EQ(p[k], 0);
}

TEST(SoftmaxArray, RangeAndLeakageMakeAFloor) {
  const auto circuit = made("circuit: softmax_array, bias: 10 nA, leakage: 1 pA, input_range: 6");
  const std::vector<double> p = circuit->row(std::vector<double>{0, 0, -100});
  EXPECT_NEAR(p[2], circuit->floor(3), 0.01 * circuit->floor(3));
  EXPECT_NEAR(circuit->floor(3), std::exp(-6) / (2 + std::exp(-6)) + 1e-4, 1e-12);
  EXPECT_NEAR(circuit->floor(1), 1 + 1e-4, 1e-12);
}

TEST(SoftmaxArray, OffsetsOfThresholdsMoveInputs) {
  const auto circuit = made("circuit: softmax_array, leakage: 0 A");
  SoftmaxErrors errors;
  errors.outputs = {5, {0, 0, 0.25f, 0, 0, 0, 0, 0, 0, 0}};
  std::vector<float> p(5), moved(5), z = z5f;
  circuit->evaluate(z5f, 5, {}, errors, nullptr, 0, p);
  z[2] -= 0.25f;
  circuit->evaluate(z, 5, {}, {}, nullptr, 0, moved);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(p[k], moved[k], 1e-6);
}

TEST(SoftmaxArray, MismatchIsPelgromsOfSingleTransistors) {
  const auto circuit = made("circuit: softmax_array, mosfet: {width: 4 um, length: 1 um}, bias: 1 nA");
  // sky130 in weak inversion: 11.1 mV um for the difference of two, over sqrt(2 W L), in n kT/q of 300 K.
  const double expected = 11.1e-3 / 2 / std::sqrt(2.0) / (1.3738 * devices::thermal_voltage_V(300));
  EXPECT_NEAR(circuit->output_planes()[0].deviation, expected, 0.005 * expected);
  const SoftmaxErrors errors = circuit->sample(Stream(1, Purpose::mismatch, {}), 20000);
  double squares = 0;
  for (const float shift : errors.outputs.plane(0)) squares += static_cast<double>(shift) * static_cast<double>(shift);
  EXPECT_NEAR(std::sqrt(squares / 20000), expected, 0.02 * expected + 0.005 * expected);
}

TEST(SoftmaxArray, NoiseIsThePartitionOfTheTail) {
  // Weak inversion without flicker and excess: variance of I_k is 2 q I_b (p (1 - p) + p^2) B = 2 q I_k B with the
  // tail's shot noise, the law of a shot-noise current that splits at random.
  const auto circuit =
      made("circuit: softmax_array, bias: 1 pA, leakage: 0 A, mosfet: {flicker: 0 mV*um, white_excess: 1}");
  const double band_Hz = 0.5 * 3.14159265358979 * circuit->cost(5).bandwidth_Hz;
  const std::vector<double> p = circuit->row(z5), noise = circuit->output_noise(z5);
  for (std::size_t k = 0; k < 5; ++k) {
    const double expected = std::sqrt(2 * devices::elementary_charge_C * p[k] * band_Hz / 1e-12);
    EXPECT_NEAR(noise[k] / expected, 1, 1e-3);
  }
}

TEST(SoftmaxArray, NoiseDrawsScatterAsTheySay) {
  const auto circuit = made("circuit: softmax_array, leakage: 0 A");
  constexpr std::size_t rows = 20000;
  std::vector<float> z, p(5 * rows);
  for (std::size_t r = 0; r < rows; ++r) z.insert(z.end(), z5f.begin(), z5f.end());
  const Stream noise(2, Purpose::read_noise, {});
  circuit->evaluate(z, 5, {}, {}, &noise, 0, p);
  const std::vector<double> mean = circuit->row(z5), sigma = circuit->output_noise(z5);
  for (std::size_t k = 0; k < 5; ++k) {
    double squares = 0;
    for (std::size_t r = 0; r < rows; ++r) squares += std::pow(static_cast<double>(p[5 * r + k]) - mean[k], 2);
    EXPECT_NEAR(std::sqrt(squares / rows) / sigma[k], 1, 0.02) << k;  // 4 standard errors
  }
  // A row has its own draws, wherever it stands in a batch.
  std::vector<float> last(5);
  circuit->evaluate(z5f, 5, {}, {}, &noise, rows - 1, last);
  EXPECT_TRUE(std::equal(last.begin(), last.end(), p.end() - 5));
}

TEST(SoftmaxArray, EnergyOfATransientIsAccountedFor) {
  const auto circuit = made("circuit: softmax_array");
  const FrontEndCost cost = circuit->cost(5);
  for (const auto& before : {std::vector<double>{0, 0, 0, 0, 0}, std::vector<double>{4, -4, 0, 1, 2}, z5}) {
    const EnergyBook book = circuit->energy(before, z5, cost.evaluation_s);
    EXPECT_LE(book.imbalance(), 1e-9);
    // Reference, tail and copies of the outputs: three times I_b V t, and what the source node needs.
    const double static_J = 3 * 10e-9 * 1.8 * cost.evaluation_s;
    EXPECT_NEAR(book.supply_J(), static_J, 0.05 * static_J);
  }
  // Settled before: nothing is stored.
  const EnergyBook still = circuit->energy(z5, z5, cost.evaluation_s);
  EXPECT_NEAR(still.stored_J(), 0, 1e-9 * still.supply_J());
}

TEST(SoftmaxArray, CostIsThatOfThreeTailsAndItsPoles) {
  const FrontEndCost cost = made("circuit: softmax_array, bias: 1 nA")->cost(5);
  EXPECT_NEAR(cost.power_W.typical, 3 * 1e-9 * 1.8, 1e-15);
  // Weak inversion: kT/q over the tail at the source node, n kT/q over a share at a mirror and at an output of 10 fF;
  // gates of 2 um2 at 8.4 fF/um2, 1 fF for each drain.
  const double thermal_V = devices::thermal_voltage_V(300), gate_F = 2 * 8.4e-15;
  const double time_s = 6e-15 * thermal_V / 1e-9 + (2 * gate_F + 3e-15 + 10e-15) * 1.3738 * thermal_V / (1e-9 / 5);
  EXPECT_NEAR(cost.settling_s.typical / (9 * std::log(2.0) * time_s), 1, 2e-3);
  EXPECT_NEAR(cost.energy_J.typical, cost.power_W.typical * cost.evaluation_s + cost.dynamic_J.typical,
              1e-9 * cost.energy_J.typical);
}

TEST(SoftmaxArray, DigitalUnitsAreThereToCompare) {
  const auto rivals = digital_softmax(std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/costs", Length::si(28e-9));
  ASSERT_EQ(rivals.size(), 3u);
  for (const SoftmaxRival& rival : rivals) {
    EXPECT_GT(rival.element.energy_J.low, 0);
    EXPECT_LT(rival.element.energy_J.low, rival.element.energy_J.high);
    EXPECT_FALSE(rival.element.from.source.empty());
  }
  // ZHANG22B2: 13.12 mW at 3 GHz, at its own node.
  const auto zhang = std::find_if(rivals.begin(), rivals.end(), [](const auto& r) { return r.set == "chen_2020"; });
  ASSERT_NE(zhang, rivals.end());
  EXPECT_NEAR(zhang->element.energy_J.typical, 13.12e-3 / 3e9, 1e-15);
}

TEST(SoftmaxArray, NoHeadroomIsSaid) {
  try {
    made("circuit: softmax_array, supply: 0.6 V, bias: 1 uA");
    FAIL();
  } catch (const RefusedError& error) {
    EXPECT_NE(std::string(error.what()).find("The softmax array leaves"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tellegen::circuits
