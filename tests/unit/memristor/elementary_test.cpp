// Elementary functions against the standard library, on every range that the kernels use.

#include "tellegen/devices/memristor/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tellegen::devices {
namespace {

constexpr double ulp = std::numeric_limits<double>::epsilon();

TEST(Elementary, ExponentialIsCloseToTheLibrary) {
  for (double x = -700; x < 700; x += 0.0371) {
    EXPECT_LE(std::abs(elementary::exp(x) / std::exp(x) - 1), 2 * ulp) << x;
  }
  EXPECT_EQ(elementary::exp(0.0), 1.0);
  EXPECT_GT(elementary::exp(1000.0), 1e307);
  EXPECT_LT(elementary::exp(-1000.0), 1e-307);
}

TEST(Elementary, LogarithmIsCloseToTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.0371) {
    EXPECT_LE(std::abs(elementary::ln(x) - std::log(x)), 2 * ulp * std::max(std::abs(std::log(x)), 1e-3)) << x;
  }
  for (double x = 0.5; x < 2; x += 1.7e-4) EXPECT_LE(std::abs(elementary::ln(x) / std::log(x) - 1), 3 * ulp) << x;
  EXPECT_EQ(elementary::ln(1.0), 0.0);
}

TEST(Elementary, HyperbolicSineIsOddAndCloseToTheLibrary) {
  for (double x = 1e-12; x < 700; x *= 1.013) {
    EXPECT_LE(std::abs(elementary::sinh(x) / std::sinh(x) - 1), 4 * ulp) << x;
    EXPECT_EQ(elementary::sinh(-x), -elementary::sinh(x));
  }
  EXPECT_EQ(elementary::sinh(0.0), 0.0);
}

TEST(Elementary, OneMinusExponentialKeepsSmallArguments) {
  for (double x = 1e-12; x < 300; x *= 1.037) {
    EXPECT_LE(std::abs(elementary::one_minus_exp(x) / -std::expm1(-x) - 1), 8 * ulp) << x;
    EXPECT_LE(std::abs(elementary::one_minus_exp(-x) / -std::expm1(x) - 1), 8 * ulp) << -x;
  }
}

TEST(Elementary, PowerAndLogistic) {
  for (double base = 1e-6; base < 1e6; base *= 1.9) {
    for (const double exponent : {0.5, 1.0, 3.0, 14.0}) {
      const double want = std::pow(base, exponent);
      EXPECT_LE(std::abs(elementary::power(base, exponent) / want - 1), 1e-13) << base << '^' << exponent;
    }
  }
  EXPECT_LT(elementary::power(0.0, 1.0), 1e-299);
  for (int n = 1; n <= 7; ++n) {
    const double digits[3] = {1.0 * (n & 1), 1.0 * (n >> 1 & 1), 1.0 * (n >> 2 & 1)};
    EXPECT_LE(std::abs(elementary::power(1.7, digits[0], digits[1], digits[2]) / std::pow(1.7, n) - 1), 4 * ulp) << n;
  }
  for (double x = -40; x < 40; x += 0.37) {
    EXPECT_LE(std::abs(elementary::logistic(x) * (1 + std::exp(-x)) - 1), 8 * ulp) << x;
  }
}

}  // namespace
}  // namespace tellegen::devices
