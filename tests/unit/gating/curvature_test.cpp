// Asymptotes, derivatives and inflection points against stored vectors.

#include "tellegen/models/gating/curvature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "vectors.h"

namespace tellegen::models::gating {
namespace {

Activation stored_name(const std::string& name) {
  return name == "swish_beta" ? Activation{ActivationKind::swish, 1.3} : activation_named(name);
}

TEST(Curvature, StoredAsymptotesAndThatTheyAreReached) {
  const auto& stored = test::vectors("minimal_branch.json")["asymptotes"];
  ASSERT_EQ(stored.size(), 18U);
  for (const auto& [name, row] : stored.items()) {
    const Activation activation = stored_name(name);
    const Asymptotes tails = asymptotes(activation);
    EXPECT_EQ(tails.left, (Line{row["s_minus"], row["c_minus"]})) << name;
    EXPECT_EQ(tails.right, (Line{row["s_plus"], row["c_plus"]})) << name;
  }
  for (const ActivationEntry& entry : activation_catalog()) {
    const Asymptotes tails = asymptotes(entry.activation);
    for (const auto& [line, x] : {std::pair{tails.left, -90.0}, std::pair{tails.right, 90.0}})
      EXPECT_NEAR(value(entry.activation, x), line.slope * x + line.constant, 1e-13) << entry.name << " at " << x;
  }
}

TEST(Curvature, DerivativesAreThoseOfTheActivation) {
  for (const ActivationEntry& entry : activation_catalog()) {
    for (const double x : {-7.3, -2.2, -0.7, 0.0, 0.4, 1.1, 2.9, 6.7}) {
      const Derivatives d = derivatives(entry.activation, x);
      EXPECT_NEAR(d.f, value(entry.activation, x), 2e-15) << entry.name << " at " << x;
      EXPECT_NEAR(d.first, derivative(entry.activation, x), 2e-15) << entry.name << " at " << x;
      if (x == 0) continue;  // where some have a kink
      const double h = 1e-5;
      const Derivatives before = derivatives(entry.activation, x - h), behind = derivatives(entry.activation, x + h);
      EXPECT_NEAR(d.second, (behind.first - before.first) / (2 * h), 1e-8) << entry.name << " at " << x;
      EXPECT_NEAR(d.third, (behind.second - before.second) / (2 * h), 1e-8) << entry.name << " at " << x;
    }
  }
}

TEST(Curvature, StoredDerivativesAtZero) {
  const auto& stored = test::vectors("minimal_branch.json")["curvature"];
  ASSERT_EQ(stored.size(), 10U);
  for (const auto& [name, row] : stored.items()) {
    const Derivatives d = derivatives(activation_named(name), 0);
    EXPECT_NEAR(d.f, test::number(row["f0"]), 1e-15) << name;
    EXPECT_NEAR(d.first, test::number(row["d1_0"]), 1e-15) << name;
    EXPECT_NEAR(d.second, test::number(row["d2_0"]), 1e-15) << name;
    EXPECT_NEAR(d.third, test::number(row["d3_0"]), 1e-15) << name;
  }
}

TEST(Curvature, StoredInflections) {
  for (const auto& [name, row] : test::vectors("minimal_branch.json")["curvature"].items()) {
    const auto found = inflections(activation_named(name));
    // Of sech only the right one of two is stored.
    EXPECT_EQ(found.size(), row["inflections"].size() + (name == "sech" ? 1 : 0)) << name;
    for (const auto& want : row["inflections"]) {
      const double theta = test::number(want["theta"]);
      const auto nearest = std::min_element(found.begin(), found.end(), [&](const Inflection& a, const Inflection& b) {
        return std::abs(a.theta - theta) < std::abs(b.theta - theta);
      });
      ASSERT_NE(nearest, found.end()) << name;
      EXPECT_NEAR(nearest->theta, theta, 2e-15) << name;
      EXPECT_NEAR(nearest->f, test::number(want["f"]), 2e-15) << name;
      EXPECT_NEAR(nearest->slope, test::number(want["slope"]), 1e-15) << name;
      EXPECT_NEAR(nearest->kappa, test::number(want["kappa"]), 2e-15) << name;
    }
  }
  for (const char* name : {"relu", "leaky_relu", "elu", "hard_sigmoid", "hard_swish", "hard_tanh", "softplus"})
    EXPECT_TRUE(inflections(activation_named(name)).empty()) << name;
}

TEST(Curvature, StoredLargestThirdDerivatives) {
  for (const auto& [name, row] : test::vectors("minimal_branch.json")["curvature"].items()) {
    const LargestThird largest = largest_third_derivative(activation_named(name));
    EXPECT_NEAR(largest.value, test::number(row["sup_abs_f3"]), 2e-14) << name;
    EXPECT_NEAR(std::abs(largest.at), std::abs(test::number(row["argsup"])), 1e-7) << name;
  }
}

TEST(Curvature, SameTailsNeedThreeBranches) {
  EXPECT_EQ(minimal_branches({ActivationKind::identity}), 1);
  EXPECT_EQ(minimal_branches({ActivationKind::leaky_relu, 1}), 1);
  EXPECT_EQ(minimal_branches({ActivationKind::swish, 0}), 1);
  for (const ActivationEntry& entry : activation_catalog()) {
    const ActivationKind kind = entry.activation.kind;
    if (kind == ActivationKind::identity) continue;
    const bool closed =
        kind == ActivationKind::tanh_sech || kind == ActivationKind::sech || kind == ActivationKind::x_sech;
    EXPECT_EQ(minimal_branches(entry.activation), closed ? 3 : 2) << entry.name;
  }
}

}  // namespace
}  // namespace tellegen::models::gating
