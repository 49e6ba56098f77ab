// Are the draws standard normal and independent? Error rate 1e-6 for each check.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "limits.h"
#include "tellegen/base/random.h"

namespace tellegen {
namespace {

using testing_support::chi_squared_limits;
using testing_support::normal_limit;

constexpr double rate = 1e-6;
constexpr std::size_t draws = std::size_t{1} << 22;

std::vector<float> normals_of(StreamPlace place) {
  std::vector<float> normals(draws);
  Stream(2024, Purpose::test, place).normals(0, normals);
  return normals;
}

/// Chi-squared of `values` over 32 bins of equal probability.
double chi_squared_of(const std::vector<float>& values, double scale) {
  constexpr std::size_t bins = 32;
  std::array<double, bins> counts{};
  for (const float z : values) {
    const double probability = 0.5 * std::erfc(-scale * static_cast<double>(z) / std::sqrt(2.0));
    ++counts[std::min(bins - 1, static_cast<std::size_t>(probability * bins))];
  }
  const double expected = static_cast<double>(values.size()) / bins;
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Normals, FillEquallyLikelyBinsEqually) {
  const std::vector<float> normals = normals_of({});
  EXPECT_TRUE(chi_squared_limits(31, rate).holds(chi_squared_of(normals, 1.0)));
  EXPECT_FALSE(
      chi_squared_limits(31, rate).holds(chi_squared_of(normals, 1.01)));  // the check sees a 1 % wrong deviation
}

TEST(Normals, HaveTheMomentsOfAStandardNormal) {
  const std::vector<float> normals = normals_of({});
  std::array<double, 5> moments{};
  for (const float z : normals) {
    double power = 1;
    for (double& moment : moments) {
      moment += power / static_cast<double>(draws);
      power *= static_cast<double>(z);
    }
  }
  // Variance of z^k: E z^2k - (E z^k)^2 with E z^2, z^4, z^6, z^8 = 1, 3, 15, 105.
  const std::array<double, 5> mean = {1, 0, 1, 0, 3};
  const std::array<double, 5> variance = {0, 1, 2, 15, 96};
  for (std::size_t k = 1; k < moments.size(); ++k) {
    EXPECT_LT(std::abs(moments[k] - mean[k]),
              normal_limit(rate / 4) * std::sqrt(variance[k] / static_cast<double>(draws)))
        << k;
  }
}

/// Tails: the number of draws beyond 4 sigma is binomial with p = 6.33e-5.
TEST(Normals, HaveTheRightTails) {
  const std::vector<float> normals = normals_of({});
  double beyond = 0;
  for (const float z : normals) beyond += std::abs(z) > 4.0F ? 1 : 0;
  const double expected = std::erfc(4.0 / std::sqrt(2.0)) * static_cast<double>(draws);
  EXPECT_LT(std::abs(beyond - expected), normal_limit(rate) * std::sqrt(expected));
}

/// Mean of the product of two independent normals has variance 1 / n.
double correlation_z(const std::vector<float>& a, const std::vector<float>& b, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = 0; i + lag < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i + lag]);
  return std::abs(sum) / std::sqrt(static_cast<double>(a.size() - lag));
}

TEST(Normals, NeighbouringStreamsAreIndependent) {
  const std::vector<float> base = normals_of({3, 5, 7});
  const std::array neighbours = {StreamPlace{4, 5, 7}, StreamPlace{3, 6, 7}, StreamPlace{3, 5, 8},
                                 StreamPlace{5, 3, 7}};
  for (const StreamPlace& place : neighbours) {
    EXPECT_LT(correlation_z(base, normals_of(place), 0), normal_limit(rate / neighbours.size()));
  }
}

/// Lags 16 and 32 pair the two normals of one Box-Muller transform and the two halves of one counter.
TEST(Normals, NeighbouringElementsAreIndependent) {
  const std::vector<float> base = normals_of({});
  const std::array<std::size_t, 5> lags = {1, 15, 16, 32, 64};
  for (const std::size_t lag : lags) EXPECT_LT(correlation_z(base, base, lag), normal_limit(rate / lags.size())) << lag;
  std::vector<float> squares(base);
  for (float& z : squares) z = (z * z - 1) / std::sqrt(2.0F);
  for (const std::size_t lag : lags)
    EXPECT_LT(correlation_z(squares, squares, lag), normal_limit(rate / lags.size())) << lag;
}

}  // namespace
}  // namespace tellegen
