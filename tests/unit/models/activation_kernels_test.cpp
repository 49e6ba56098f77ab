// Curves over arrays: accuracy against the C library in double, and the same bits from every vector unit.

#include "tellegen/models/operators/activation_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tellegen/models/operators/vector_math.h"

namespace tellegen::models {
namespace {

constexpr double kUnit = std::numeric_limits<float>::epsilon();

/// Largest error of `function` over [-limit, limit], as `measure` sees it.
template <class Function, class Exact, class Measure>
double worst(double limit, Function function, Exact exact, Measure measure) {
  double largest = 0;
  for (int i = -200000; i <= 200000; ++i) {
    const auto x = static_cast<float>(limit * i / 200000);
    largest = std::max(largest, measure(static_cast<double>(function(x)), exact(static_cast<double>(x))));
  }
  return largest;
}
double relative(double got, double wanted) { return wanted == 0 ? std::abs(got) : std::abs(got / wanted - 1); }
double absolute(double got, double wanted) { return std::abs(got - wanted); }
double normal(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

TEST(VectorMath, IsAsExactAsItSays) {
  const auto tanh = [](float x) { return vector_tanh(x); };
  EXPECT_LT(worst(
                12, tanh, [](double x) { return std::tanh(x); }, relative),
            2 * kUnit);
  EXPECT_LT(worst(
                0.7, tanh, [](double x) { return std::tanh(x); }, relative),
            2 * kUnit);
  const auto erf = [](float x) { return vector_erf(x); };
  EXPECT_LT(worst(
                6, erf, [](double x) { return std::erf(x); }, absolute),
            2e-7);
  const auto cdf = [](float x) { return vector_normal_cdf(x); };
  EXPECT_LT(worst(8, cdf, normal, absolute), kUnit);
  EXPECT_LT(worst(4, cdf, normal, relative), 2e-5) << "small tails do not cancel";
}

TEST(VectorMath, EndsWhereTheFunctionsEnd) {
  for (const float x : {20.0F, 1e4F, 1e30F}) {
    EXPECT_EQ(vector_tanh(x), 1.0F);
    EXPECT_EQ(vector_tanh(-x), -1.0F);
    EXPECT_EQ(vector_erf(x), 1.0F);
    EXPECT_EQ(vector_normal_cdf(x), 1.0F);
    EXPECT_LT(vector_normal_cdf(-x), 1e-30F);
  }
  EXPECT_EQ(vector_tanh(0.0F), 0.0F);
  EXPECT_EQ(vector_erf(0.0F), 0.0F);
  EXPECT_EQ(vector_normal_cdf(0.0F), 0.5F);
}

std::vector<float> line(std::int64_t size) {
  std::vector<float> x;
  for (std::int64_t i = 0; i < size; ++i) x.push_back(static_cast<float>(i * 7919 % 2003) / 100.0F - 10.0F);
  return x;
}

TEST(ActivationKernels, GiveTheSameBitsOnEveryVectorUnit) {
  using namespace kernels;
  for (const auto kernel : {sigmoid, kernels::tanh, normal_cdf, gelu_tanh_factor, tanh_sech, softmax})
    for (const std::int64_t size : {1, 15, 16, 37, 256}) {
      std::vector<float> expected = line(size);
      kernel(VectorUnit::baseline, expected.data(), size);
      for (const VectorUnit unit : vector_units) {
        if (!is_supported(unit)) continue;
        std::vector<float> got = line(size);
        kernel(unit, got.data(), size);
        EXPECT_EQ(got, expected) << static_cast<int>(unit) << ' ' << size;
      }
    }
}

TEST(ActivationKernels, SoftmaxIsADistribution) {
  for (const std::int64_t size : {1, 5, 16, 100}) {
    std::vector<float> x = line(size);
    double sum = 0, total = 0;
    for (const float value : x) total += std::exp(static_cast<double>(value));
    const std::vector<float> before = x;
    kernels::softmax(VectorUnit::baseline, x.data(), size);
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += static_cast<double>(x[i]);
      EXPECT_NEAR(x[i], std::exp(static_cast<double>(before[i])) / total, 1e-6);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  // Scores that a mask hides get nothing.
  std::vector<float> masked{1, -std::numeric_limits<float>::infinity(), 1, -1e9F};
  kernels::softmax(best_vector_unit(), masked.data(), 4);
  EXPECT_NEAR(masked[0], 0.5F, 1e-6);
  EXPECT_LT(masked[1], 1e-30F);
  EXPECT_LT(masked[3], 1e-30F);
}

}  // namespace
}  // namespace tellegen::models
