// The translinear gate: the ideal limit, single transistors, and what finite inversion does.

#include "tellegen/circuits/front_end/memglu_translinear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tellegen/devices/memristor/branches.h"

namespace tellegen::circuits {
namespace {

/// So far in weak inversion that its deviation is below the rounding of doubles.
constexpr double weak = 1e-14;

/// Output in units where the ideal gate is tanh u sech u.
double gate(double u, double tail, const TranslinearTransistors& transistors = {}) {
  return 2 * translinear_gate(2 * u, tail, transistors).i_out / tail;
}

double largest_deviation(double tail) {
  double worst = 0;
  for (double u = -8; u <= 8; u += 0.0625) {
    worst = std::max(worst, std::abs(gate(u, tail) - devices::hyperbolic_gate(u)));
  }
  return worst;
}

TEST(Translinear, EqualsTanhSechInWeakInversion) { EXPECT_LE(largest_deviation(weak), 1e-12); }

TEST(Translinear, FollowsTheStoredVectors) {
  std::ifstream file(TELLEGEN_SOURCE_DIR "/tests/data/front_end/memglu_softmax.json");
  const auto rows = nlohmann::json::parse(file).at("translinear");
  ASSERT_EQ(rows.size(), 6u);
  for (const auto& row : rows) {
    const double u = row.at("u");
    EXPECT_NEAR(0.5 * gate(u, weak), row.at("value_over_Ib").get<double>(), 1e-12) << u;
    EXPECT_NEAR(translinear_gate(2 * u, weak).i_1 / weak, row.at("I1").get<double>(), 1e-12) << u;
  }
}

TEST(Translinear, PeaksAtOneHalfWhereSinhIsOne) {
  const double peak = std::asinh(1.0);
  EXPECT_NEAR(gate(peak, weak), 0.5, 1e-12);
  for (const double away : {-0.01, 0.01}) EXPECT_LT(gate(peak + away, weak), 0.5 - 1e-5);
}

TEST(Translinear, DeviationIsProportionalToTheTailAtFirst) {
  const double small = largest_deviation(1e-5), ten_times = largest_deviation(1e-4);
  EXPECT_NEAR(ten_times / small, 10, 0.01);
  EXPECT_GT(largest_deviation(1), 0.05);
}

TEST(Translinear, AnOffsetOfThePairOnlyMovesTheInput) {
  TranslinearTransistors transistors{};
  transistors[2].shift = 0.3;  // pair 1: its gate counts 0.3 n kT/q less
  ASSERT_TRUE(is_of_the_pair(2));
  for (const double u : {-2.0, 0.0, 0.7}) {
    EXPECT_NEAR(gate(u, 0.01, transistors), gate(u - 0.15, 0.01), 1e-12) << u;
  }
}

TEST(Translinear, ShiftsOfLoopsScaleTheProductsInWeakInversion) {
  // A shift s of the output of a product or of its divisor lowers it by e^-s, one of a factor raises it; one of the tail lowers
  // both products by e^-2s, as I_1 and I_g are proportional to it.
  constexpr double u = 0.6, s = 0.2;
  const TranslinearPoint nominal = translinear_gate(2 * u, weak);
  const auto moved = [&](const std::string& name) {
    TranslinearTransistors transistors{};
    for (std::size_t k = 0; k < translinear_transistors; ++k) {
      if (translinear_names()[k] == name) transistors[k].shift = s;
    }
    return translinear_gate(2 * u, weak, transistors);
  };
  EXPECT_NEAR(moved("plus out").i_plus / nominal.i_plus, std::exp(-s), 1e-12);
  EXPECT_NEAR(moved("plus bias").i_plus / nominal.i_plus, std::exp(-s), 1e-12);
  EXPECT_NEAR(moved("plus factor 1").i_plus / nominal.i_plus, std::exp(s), 1e-12);
  EXPECT_NEAR(moved("tail").i_plus / nominal.i_plus, std::exp(-2 * s), 1e-12);
  EXPECT_NEAR(moved("tail").i_minus / nominal.i_minus, std::exp(-2 * s), 1e-12);
  EXPECT_NEAR(moved("mean 1").i_mean / nominal.i_mean, std::exp(s / 2), 1e-12);
  EXPECT_NEAR(moved("minus out").i_plus, nominal.i_plus, 1e-12 * nominal.i_plus);
}

TEST(Translinear, SensitivitiesAreTheClosedFormsOfWeakInversion) {
  constexpr double u = 0.6;
  const TranslinearPoint p = translinear_gate(2 * u, weak);
  const auto slope = translinear_sensitivity(2 * u, weak);
  const auto at = [&](const std::string& name) {
    for (std::size_t k = 0; k < translinear_transistors; ++k) {
      if (translinear_names()[k] == name) return slope[k];
    }
    throw std::logic_error(name);
  };
  EXPECT_NEAR(at("plus out"), -p.i_plus, 1e-7 * p.i_plus);
  EXPECT_NEAR(at("tail"), -2 * p.i_out, 1e-7 * p.i_plus);
  // The reference feeds the tail (squared) and both divisors: i_out ~ I_b^2 / I_b.
  EXPECT_NEAR(at("bias reference"), 2 * p.i_out - p.i_out, 1e-7 * p.i_plus);
  EXPECT_NEAR(at("pair 1"), -0.25 * weak * devices::hyperbolic_gate_slope(u), 1e-7 * weak);
}

TEST(Translinear, BranchesAreSumsOfWhatThePairAndTheLoopsCarry) {
  for (const double u : {0.0, 1.3}) {
    const TranslinearPoint p = translinear_gate(2 * u, weak);
    double sum = 0;
    for (const BranchCurrent& branch : translinear_branches(p)) sum += branch.current;
    // Reference, pair, copies into the mean, copies into the products, two divisors: 6 I_b; three times the mean.
    EXPECT_NEAR(sum, 6 * weak + 3 * p.i_mean + p.i_plus + p.i_minus, 1e-12 * weak) << u;
  }
}

}  // namespace
}  // namespace tellegen::circuits
