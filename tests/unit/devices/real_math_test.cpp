#include "tellegen/devices/real_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tellegen::devices {
namespace {

/// Difference in units of the last place of the exact value.
double ulps(float got, double exact) {
  const float rounded = static_cast<float>(exact);
  const double ulp = std::nextafter(std::abs(rounded), std::numeric_limits<float>::infinity()) - std::abs(rounded);
  return std::abs(static_cast<double>(got) - exact) / ulp;
}

TEST(FloatLogarithm, IsWithinTwoUlpOfTheStandardLibrary) {
  for (float x = 1.2e-38f; x < 3e38f; x *= 1.00037f) ASSERT_LE(ulps(ln(x), std::log(static_cast<double>(x))), 2.0) << x;
}

TEST(FloatLogarithm, KeepsItsRelativePrecisionNextToOne) {
  EXPECT_EQ(ln(1.0f), 0.0f);
  for (int k = 1; k < 10000; ++k) {
    const float above = 1.0f + static_cast<float>(k) * 0x1p-23f, below = 1.0f - static_cast<float>(k) * 0x1p-24f;
    ASSERT_LE(ulps(ln(above), std::log(static_cast<double>(above))), 2.0) << above;
    ASSERT_LE(ulps(ln(below), std::log(static_cast<double>(below))), 2.0) << below;
  }
}

TEST(FloatExponential, IsWithinTwoUlpOfTheStandardLibrary) {
  for (float x = -87.0f; x < 88.0f; x += 0.00173f)
    ASSERT_LE(ulps(exponential(x), std::exp(static_cast<double>(x))), 2.0) << x;
}

TEST(FloatExponential, OfZeroIsExactlyOne) {
  EXPECT_EQ(exponential(0.0f), 1.0f);
  EXPECT_EQ(exponential(-0.0f), 1.0f);
}

TEST(FloatExponential, NeverRisesWhereItsArgumentFalls) {
  float last = exponential(0.0f);
  for (float x = -1e-9f; x > -20.0f; x *= 1.0001f) {
    const float now = exponential(x);
    ASSERT_LE(now, last) << x;
    last = now;
  }
}

TEST(FloatExponential, ClampsInsteadOfOverflowing) {
  EXPECT_EQ(exponential(1e9f), exponential(88.0f));
  EXPECT_EQ(exponential(-1e9f), exponential(-87.0f));
}

}  // namespace
}  // namespace tellegen::devices
