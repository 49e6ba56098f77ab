#include "tellegen/base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace tellegen {
namespace {

TEST(StudentT, AgreesWithTheTable) {
  // Two-sided 95 %, NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
  EXPECT_NEAR(student_t_95(1), 12.706, 5e-4);
  EXPECT_NEAR(student_t_95(2), 4.303, 5e-4);
  EXPECT_NEAR(student_t_95(4), 2.776, 5e-4);
  EXPECT_NEAR(student_t_95(9), 2.262, 5e-4);
  EXPECT_NEAR(student_t_95(30), 2.042, 5e-4);
  EXPECT_NEAR(student_t_95(100), 1.984, 5e-4);
  EXPECT_NEAR(student_t_95(100000000), 1.959964, 1e-6);
  // Closed forms: tan(pi (p - 1/2)) for one degree of freedom, a / sqrt(2 p (1 - p)) with a = 2p - 1 for two.
  EXPECT_NEAR(student_t_95(1), std::tan(M_PI * 0.475), 1e-9);
  EXPECT_NEAR(student_t_95(2), 0.95 / std::sqrt(2 * 0.975 * 0.025), 1e-9);
  EXPECT_THROW(student_t_95(0), std::logic_error);
}

TEST(MeanInterval, OfKnownSamples) {
  const std::vector<double> samples = {2, 4, 4, 4, 5, 5, 7, 9};
  const MeanInterval result = mean_interval(samples);
  EXPECT_DOUBLE_EQ(result.mean, 5.0);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(32.0 / 7.0));
  EXPECT_NEAR(result.half_width, 2.365 * std::sqrt(32.0 / 7.0) / std::sqrt(8.0), 5e-4);
  EXPECT_EQ(result.samples, 8u);
}

TEST(MeanInterval, OfOneSampleAndOfNone) {
  const MeanInterval one = mean_interval(std::vector<double>{3});
  EXPECT_EQ(one.mean, 3);
  EXPECT_EQ(one.deviation, 0);
  EXPECT_TRUE(std::isinf(one.half_width));
  EXPECT_THROW(mean_interval({}), std::logic_error);
}

TEST(MeanInterval, DoesNotCancel) {
  const MeanInterval result = mean_interval(std::vector<double>{1e9 + 1, 1e9 + 2, 1e9 + 3});
  EXPECT_NEAR(result.deviation, 1.0, 1e-6);
}

TEST(MeanInterval, CoversTheMeanAsOftenAsItSays) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(10.0, 3.0);
  const int repeats = 20000;
  int covered = 0;
  for (int i = 0; i < repeats; ++i) {
    std::vector<double> samples(5);
    for (double& x : samples) x = normal(random);
    const MeanInterval result = mean_interval(samples);
    if (std::abs(result.mean - 10.0) <= result.half_width) ++covered;
  }
  // Binomial, five standard deviations; the normal quantile 1.96 would cover only 87.8 %.
  EXPECT_NEAR(covered, 0.95 * repeats, 5 * std::sqrt(repeats * 0.95 * 0.05));
}

}  // namespace
}  // namespace tellegen
