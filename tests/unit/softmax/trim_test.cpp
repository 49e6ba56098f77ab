// Trimming of softmax circuits: one voltage per input of the array, one DAC per error of cells and gates of the others.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "softmax_testing.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"
#include "tellegen/circuits/front_end/softmax_counts.h"

namespace tellegen::circuits {
namespace {

std::unique_ptr<SoftmaxCircuit> made(const std::string& yaml, double temperature_K = 300) {
  return test::made("circuit: " + yaml, temperature_K);
}

constexpr std::size_t kInputs = 16;

/// Root mean square deviation of p from the nominal circuit over circuits, all inputs equal.
double scatter(const SoftmaxCircuit& circuit) {
  const std::vector<float> z(kInputs, 0.0F);
  std::vector<float> p(kInputs), nominal(kInputs);
  circuit.evaluate(z, kInputs, {}, {}, nullptr, 0, nominal);
  double squares = 0;
  constexpr std::uint32_t chips = 100;
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    const SoftmaxErrors errors = circuit.sample(Stream(3, Purpose::mismatch, {chip, 0, 0}), kInputs);
    circuit.evaluate(z, kInputs, {}, errors, nullptr, 0, p);
    for (std::size_t k = 0; k < kInputs; ++k) squares += std::pow(static_cast<double>(p[k] - nominal[k]), 2);
  }
  return std::sqrt(squares / static_cast<double>(chips * kInputs));
}

TEST(SoftmaxTrimming, TakesScatterAwayWhereItIsMeasured) {
  for (const std::string circuit : {"softmax_array", "softmax_tree", "softmax_chain"}) {
    const double plain = scatter(*made(circuit)), trimmed = scatter(*made(circuit + ", trim: {bits: 6}"));
    EXPECT_LT(trimmed, plain / 10) << circuit;
    EXPECT_GT(trimmed, plain / 1000) << circuit;
  }
}

TEST(SoftmaxTrimming, DriftsAwayWithTemperature) {
  for (const std::string circuit : {"softmax_array", "softmax_tree", "softmax_chain"}) {
    const double plain = scatter(*made(circuit, 398)), at_300 = scatter(*made(circuit + ", trim: {bits: 10}", 398)),
                 hot = scatter(*made(circuit + ", trim: {bits: 10, measured_at: 398 K}", 398));
    EXPECT_LT(at_300, plain / 2) << circuit;
    EXPECT_LT(hot, at_300) << circuit;
  }
}

/// Thresholds are volts at any temperature, and so is the array's correction: where nothing else differs it stays exact.
TEST(SoftmaxTrimming, OfThresholdsAloneHoldsAtAnyTemperature) {
  const std::string circuit =
      "softmax_array, mosfet: {a_beta: 0 um, a_vt_weak: 5 mV*um, a_vt_strong: 5 mV*um}, trim: {bits: 10}";
  EXPECT_LT(scatter(*made(circuit, 398)), scatter(*made(circuit)) * 1.5);
}

TEST(SoftmaxTrimming, NoBitsAreNoTrimming) {
  const Stream stream(3, Purpose::mismatch, {0, 0, 0});
  for (const std::string circuit : {"softmax_array", "softmax_tree", "softmax_chain"}) {
    const SoftmaxErrors plain = made(circuit)->sample(stream, kInputs),
                        none = made(circuit + ", trim: {bits: 0}")->sample(stream, kInputs);
    EXPECT_EQ(plain.outputs.values, none.outputs.values) << circuit;
    EXPECT_EQ(plain.cells.values, none.cells.values) << circuit;
  }
}

TEST(SoftmaxTrimming, TakesArea) {
  const auto added = [](const std::string& circuit) {
    return made(circuit + ", trim: {bits: 6}")->cost(kInputs).area_m2.typical -
           made(circuit)->cost(kInputs).area_m2.typical;
  };
  const double dac_m2 = 6 * 4e-12;
  EXPECT_NEAR(added("softmax_array"), kInputs * dac_m2, 1e-15);
  const auto cells = static_cast<double>(exclusive_lse_cells(kInputs));
  EXPECT_NEAR(added("softmax_tree"), (kInputs + 3 * cells) * dac_m2, 1e-15);
}

TEST(SoftmaxCircuits, TellTheirRangeOfInputs) {
  for (const std::string circuit : {"softmax_array", "softmax_tree", "softmax_chain"}) {
    EXPECT_EQ(made(circuit)->input_range(), 8);
    EXPECT_EQ(made(circuit + ", input_range: 12")->input_range(), 12);
  }
}

}  // namespace
}  // namespace tellegen::circuits
