// Activations against stored vectors, limits and difference quotients.

#include "tellegen/models/gating/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "vectors.h"

namespace tellegen::models::gating {
namespace {

using testing_support::message_of;

/// 1e-15 and four units in the last place.
void expect_rounded(double got, double want, const std::string& what) {
  const double unit = std::nextafter(std::abs(want), std::numeric_limits<double>::infinity()) - std::abs(want);
  EXPECT_LE(std::abs(got - want), 1e-15 + 4 * unit) << what << ": got " << got << ", want " << want;
}

TEST(Activations, ValuesAndDerivativesToRounding) {
  const auto& stored = test::vectors("activations.json");
  const auto x = test::numbers(stored["x"]);
  ASSERT_EQ(stored["functions"].size() + 1, activation_catalog().size());  // identity is not stored
  for (const auto& [name, rows] : stored["functions"].items()) {
    const Activation& activation = activation_named(name);
    const auto f = test::numbers(rows["f"]), df = test::numbers(rows["df"]);
    ASSERT_EQ(f.size(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::string where = name + " at " + std::to_string(x[i]);
      expect_rounded(value(activation, x[i]), f[i], where);
      expect_rounded(derivative(activation, x[i]), df[i], where + ", derivative");
    }
  }
}

TEST(Activations, DerivativesAreDifferenceQuotients) {
  for (const ActivationEntry& entry : activation_catalog()) {
    for (const double x : {-7.3, -2.2, -0.7, 0.4, 1.1, 2.9, 6.7}) {
      const double h = 1e-5;
      const double quotient = (value(entry.activation, x + h) - value(entry.activation, x - h)) / (2 * h);
      EXPECT_NEAR(derivative(entry.activation, x), quotient, 1e-9) << entry.name << " at " << x;
    }
  }
}

TEST(Activations, FarOutNothingOverflows) {
  for (const ActivationEntry& entry : activation_catalog()) {
    for (const double x : {-1e4, 1e4}) {
      EXPECT_TRUE(std::isfinite(value(entry.activation, x))) << entry.name << " at " << x;
      EXPECT_TRUE(std::isfinite(derivative(entry.activation, x))) << entry.name << " at " << x;
    }
  }
}

TEST(Activations, AnUnknownNameIsRefusedWithAProposal) {
  EXPECT_EQ(message_of<InputError>([] { activation_named("gelu_ref"); }),
            "'gelu_ref' is not a known activation; did you mean 'gelu_erf'?");
  EXPECT_EQ(message_of<InputError>([] { activation_named("xxxxxxxxxxxxxxxx"); }),
            "'xxxxxxxxxxxxxxxx' is not a known activation; the catalogue lists them.");
}

}  // namespace
}  // namespace tellegen::models::gating
