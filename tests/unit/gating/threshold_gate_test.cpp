// Gates against stored vectors, and what must hold for any gate.

#include "tellegen/models/gating/threshold_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "vectors.h"

namespace tellegen::models::gating {
namespace {

using testing_support::message_of;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

ThresholdGate gate_of(Construction construction, std::vector<double> tau, std::vector<double> theta) {
  const std::size_t branches = theta.size() + 1;
  return {Kernel::logistic,
          construction,
          std::move(tau),
          std::move(theta),
          std::vector<double>(branches, 0),
          std::vector<double>(branches, 0)};
}

TEST(ThresholdGates, AllConstructionsToRounding) {
  const auto& stored = test::vectors("tg_gates.json");
  const auto x = test::numbers(stored["x"]);
  for (const auto& row : stored["cases"]) {
    const auto theta = test::numbers(row["theta"]);
    const bool several = row["tau"].is_array();
    const std::vector<double> tau = several ? test::numbers(row["tau"]) : std::vector{test::number(row["tau"])};
    for (const auto& [construction, key] :
         {std::pair{several ? Construction::unequal : Construction::telescoping, "telescoping"},
          std::pair{Construction::cascade, "cascade"}, std::pair{Construction::normalised, "normalised"}}) {
      const ThresholdGate gate = gate_of(construction, tau, theta);
      validate(gate);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto got = gate_values(gate, x[i]), want = test::numbers(row[key][i]);
        ASSERT_EQ(got.size(), want.size());
        for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], 4e-16) << key << " at " << x[i];
      }
    }
  }
}

TEST(ThresholdGates, AddUpToOne) {
  for (const Construction construction :
       {Construction::telescoping, Construction::cascade, Construction::normalised, Construction::unequal}) {
    const ThresholdGate gate = gate_of(construction, {2.5}, {-1.5, -0.25, 0.5, 2});
    for (double x = -8; x <= 8; x += 0.01) {
      const auto gates = gate_values(gate, x);
      EXPECT_NEAR(std::accumulate(gates.begin(), gates.end(), 0.0), 1, 5e-16) << name(construction) << " at " << x;
      EXPECT_GE(*std::min_element(gates.begin(), gates.end()), 0) << name(construction) << " at " << x;
    }
  }
}

TEST(ThresholdGates, UnequalSharpnessGivesNegativeGates) {
  const ThresholdGate gate = gate_of(Construction::unequal, {1, 3}, {-0.6, 0.6});
  double least = 0, at = 0;
  for (double x = -8; x <= 8; x += 0.001) {
    const double middle = gate_values(gate, x)[1];
    if (middle < least) {
      least = middle;
      at = x;
    }
  }
  EXPECT_NEAR(least, -0.0566, 5e-5);
  EXPECT_NEAR(at, 1.81, 5e-3);
}

TEST(ThresholdGates, TwoBranchesAreTheSameInEveryConstruction) {
  for (double x = -6; x <= 6; x += 0.125) {
    const double want = gate_values(gate_of(Construction::telescoping, {1.7}, {0.3}), x)[1];
    for (const Construction construction : {Construction::cascade, Construction::normalised, Construction::unequal})
      EXPECT_NEAR(gate_values(gate_of(construction, {1.7}, {0.3}), x)[1], want, 3e-16);
  }
}

TEST(ThresholdGates, MiddleOfThreeInClosedForm) {
  const double tau = 2.1, t = 0.55;
  const ThresholdGate gate = gate_of(Construction::telescoping, {tau}, {-t, t});
  for (double x = -6; x <= 6; x += 0.125)
    EXPECT_NEAR(gate_values(gate, x)[1], std::sinh(tau * t) / (std::cosh(tau * x) + std::cosh(tau * t)), 3e-16);
  EXPECT_NEAR(gate_values(gate, 0)[1], std::tanh(tau * t / 2), 2e-16);
}

TEST(ThresholdGates, SharpGatesBecomeIntervals) {
  for (const Construction construction : {Construction::telescoping, Construction::cascade, Construction::normalised}) {
    const ThresholdGate gate = gate_of(construction, {1e4}, {-1, 0.5});
    EXPECT_EQ(gate_values(gate, -1.5), (std::vector<double>{1, 0, 0})) << name(construction);
    EXPECT_EQ(gate_values(gate, 0.0), (std::vector<double>{0, 1, 0})) << name(construction);
    EXPECT_EQ(gate_values(gate, 0.75), (std::vector<double>{0, 0, 1})) << name(construction);
  }
  const ThresholdGate hard{Kernel::hard, Construction::telescoping, {kInfinite}, {0}, {0, 0}, {0, 1}};
  EXPECT_EQ(value(hard, -1e-300), 0);
  EXPECT_EQ(value(hard, 0), 0.5);
  EXPECT_EQ(value(hard, 1e-300), 1);
}

/// W(1 / e) / tau at tau |x| = 1 + W(1 / e), W the Lambert function.
TEST(ThresholdGates, SoftReluError) {
  for (const double tau : {1.0, 8.9, 100.0}) {
    const ThresholdGate soft = single_threshold(Kernel::logistic, tau, 0, {0, 1}, {0, 0});
    double largest = 0, at = 0;
    for (double u = -10; u <= 10; u += 1e-4) {
      const double error = std::abs(value(soft, u / tau) - std::max(u / tau, 0.0));
      if (error > largest) {
        largest = error;
        at = u;
      }
    }
    EXPECT_NEAR(largest * tau, 0.2784645427610738, 1e-9) << tau;
    EXPECT_NEAR(std::abs(at), 1.2784645, 1e-4) << tau;
  }
  EXPECT_LT(0.2784645427610738 / 8.92, 8.0 / 256);  // tau 8.9 for an error below 1/256 of a full scale of 8
  EXPECT_GT(0.2784645427610738 / 8.90, 8.0 / 256);
}

TEST(ThresholdGates, FamilyFollowsFromTheSlopes) {
  EXPECT_EQ(family({Kernel::logistic, Construction::telescoping, {}, {}, {1}, {0}}), Family::affine);
  EXPECT_EQ(family(single_threshold(Kernel::logistic, 2, 0, {0, 0}, {-1, 1})), Family::constant);
  EXPECT_EQ(family(single_threshold(Kernel::logistic, 2, 0, {0.5, 0.5}, {-1, 1})), Family::constant);
  EXPECT_EQ(family(single_threshold(Kernel::logistic, 1, 0, {0, 1}, {0, 0})), Family::multiplicative);
  EXPECT_EQ(name(Family::affine), "affine");
  EXPECT_EQ(name(Family::constant), "constant");
  EXPECT_EQ(name(Family::multiplicative), "multiplicative");
}

TEST(ThresholdGates, ManyBranches) {
  ThresholdGate stairs{Kernel::hard, Construction::telescoping, {kInfinite}, {}, {0}, {0}};
  for (int k = 1; k < 20; ++k) {
    stairs.theta.push_back(k);
    stairs.slope.push_back(0);
    stairs.constant.push_back(k);
  }
  for (double x = 0.5; x < 25; x += 1) EXPECT_EQ(value(stairs, x), std::min(std::floor(x), 19.0));
}

/// With one sharpness, telescoping and cascaded gates span the same functions: P(u) / prod (1 + u exp(-tau theta)).
TEST(ThresholdGates, CascadedGatesAreCombinationsOfTelescopingOnes) {
  const double tau = 2, a = -0.7, b = 0.4;
  const ThresholdGate cascade = gate_of(Construction::cascade, {tau}, {a, b});
  const ThresholdGate pairs = gate_of(Construction::telescoping, {tau}, {a, b});
  // sigma_a sigma_b = r sigma_a + (1 - r) sigma_b, r = 1 / (1 - exp(tau (b - a))).
  const double r = 1 / (1 - std::exp(tau * (b - a)));
  for (double x = -6; x <= 6; x += 0.25) {
    const auto g = gate_values(pairs, x);
    EXPECT_NEAR(gate_values(cascade, x)[2], r * (g[1] + g[2]) + (1 - r) * g[2], 1e-15);
  }
}

TEST(ThresholdGates, WhatIsWrongIsSaid) {
  const ThresholdGate good{Kernel::logistic, Construction::telescoping, {2}, {-1, 1}, {0, 0.5, 1}, {0, 0, 0}};
  const auto message = [&](auto&& change) {
    ThresholdGate gate = good;
    change(gate);
    return message_of<InputError>([&] { validate(gate); });
  };
  validate(good);
  EXPECT_EQ(
      message([](ThresholdGate& g) { g.slope.clear(); }),
      "A threshold gate has '0' slopes and '3' constants; each branch needs one of both, and there is at least one.");
  EXPECT_EQ(message([](ThresholdGate& g) { g.theta.pop_back(); }),
            "A threshold gate of 3 branches has '1' thresholds; it needs 2, one between neighbouring branches.");
  EXPECT_EQ(message([](ThresholdGate& g) { g.slope[1] = std::nan(""); }),
            "A threshold gate has the slope 'nan'; it must be a finite number.");
  EXPECT_EQ(message([](ThresholdGate& g) { g.constant[1] = kInfinite; }),
            "A threshold gate has the constant 'inf'; it must be a finite number.");
  EXPECT_EQ(message([](ThresholdGate& g) { g.theta[1] = -kInfinite; }),
            "A threshold gate has the threshold '-inf'; it must be a finite number.");
  EXPECT_EQ(
      message([](ThresholdGate& g) {
        g.theta = {1, -1};
      }),
      "A telescoping threshold gate has the thresholds '1', '-1'; they must ascend. Sort the branches from left to "
      "right.");
  EXPECT_EQ(message([](ThresholdGate& g) {
              g.tau = {1, 2, 3};
            }),
            "A threshold gate with 2 thresholds has '3' sharpnesses; give one for all of them or one for each.");
  EXPECT_EQ(message([](ThresholdGate& g) { g = {Kernel::logistic, Construction::telescoping, {1}, {}, {1}, {0}}; }),
            "A threshold gate with 0 thresholds has '1' sharpnesses; give one to gates with thresholds only.");
  EXPECT_EQ(
      message([](ThresholdGate& g) {
        g.tau = {1, 2};
      }),
      "A telescoping threshold gate has the sharpnesses '1', '2'; its gates stay between 0 and 1 only with one. Use "
      "the construction 'unequal' for several.");
  EXPECT_EQ(
      message([](ThresholdGate& g) { g.tau = {0}; }),
      "A threshold gate has the sharpness '0'; it must be positive and finite. Use the kernel 'hard' for an infinite "
      "one.");
  EXPECT_EQ(
      message([](ThresholdGate& g) { g.kernel = Kernel::hard; }),
      "A hard threshold gate has the sharpness '2'; it is infinite by definition. Use the kernel 'logistic' or 'ramp' "
      "for a finite one.");
  EXPECT_EQ(
      message([](ThresholdGate& g) {
        g.kernel = Kernel::ramp;
        g.construction = Construction::normalised;
      }),
      "A normalised threshold gate has the kernel 'ramp'; only 'logistic' has legs whose ratio is an exponential. Use "
      "the telescoping or the cascade construction.");
}

}  // namespace
}  // namespace tellegen::models::gating
