// One tail among n transistors.

#include "tellegen/circuits/front_end/softmax_split.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "softmax_testing.h"
#include "tellegen/circuits/front_end/pair_law.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace {

using test::exact_softmax;
using test::vectors;

std::vector<double> shares(const std::vector<double>& v, double tail) {
  std::vector<double> i(v.size()), size(v.size(), 1.0);
  split_tail(v, size, tail, i);
  for (double& one : i) one /= tail;
  return i;
}

TEST(Split, FollowsTheStoredVectorsInEveryRegion) {
  const std::vector<double> z = vectors("softmax").at("z"), ideal = vectors("softmax").at("p");
  for (const auto& row : vectors("softmax").at("array")) {
    const double mean_ic = row.at("mean_IC");
    const std::vector<double> weights = row.at("weights"), p = shares(z, mean_ic * 5);
    double worst = 0;
    for (std::size_t k = 0; k < z.size(); ++k) {
      EXPECT_NEAR(p[k], weights[k], 1e-10) << mean_ic;
      worst = std::max(worst, std::abs(p[k] - ideal[k]));
    }
    EXPECT_NEAR(worst, row.at("max_dev_from_softmax").get<double>(), 1e-10) << mean_ic;
  }
}

TEST(Split, DeviationAtTwoInversionsIsAsPublished) {
  const std::vector<double> z = vectors("softmax").at("z"), ideal = exact_softmax(z);
  const auto deviation = [&](double mean_ic) {
    const std::vector<double> p = shares(z, mean_ic * 5);
    double worst = 0;
    for (std::size_t k = 0; k < z.size(); ++k) worst = std::max(worst, std::abs(p[k] - ideal[k]));
    return worst;
  };
  EXPECT_NEAR(deviation(1e-3), 6e-4, 0.5e-4);
  EXPECT_NEAR(deviation(0.1), 0.046, 0.0005);
  EXPECT_LE(deviation(1e-14), 1e-12);
}

TEST(Split, SourceIsTheLogSumExp) {
  const std::vector<double> z = vectors("softmax").at("z"), size(5, 1.0);
  constexpr double tail = 1e-14;
  EXPECT_NEAR(source_voltage(z, size, tail) + std::log(tail), vectors("softmax").at("lse").get<double>(), 1e-11);
}

TEST(Split, CurrentsSumToTheTailFromWeakToStrong) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> voltage(-40, 40), width(0.2, 5), exponent(-12, 4);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> v, size;
    for (int k = 0; k <= trial % 40; ++k) {
      v.push_back(voltage(random));
      size.push_back(width(random));
    }
    const double tail = std::pow(10, exponent(random));
    std::vector<double> i(v.size());
    split_tail(v, size, tail, i);
    double sum = 0;
    for (const double one : i) sum += one;
    EXPECT_NEAR(sum / tail, 1, 2e-13) << trial;
  }
}

TEST(Split, TwoTransistorsAreThePair) {
  for (const double tail : {2e-12, 2e-3, 0.2, 2.0, 20.0}) {
    for (double dv = -9; dv <= 9; dv += 0.75) {
      EXPECT_NEAR(split_pair(dv, tail) / tail, pair_shares(dv, 0.5 * tail).one, 1e-13) << tail << " " << dv;
    }
  }
}

TEST(Split, ASizeIsAShiftInWeakInversion) {
  const std::vector<double> v{0.4, -1, 2}, shifted{0.4, -1 + std::log(3.0), 2}, size{1, 3, 1}, one{1, 1, 1};
  std::vector<double> a(3), b(3);
  split_tail(v, size, 1e-14, a);
  split_tail(shifted, one, 1e-14, b);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k] / b[k], 1, 1e-12);
}

/// Rows of random voltages in float.
std::vector<float> random_rows(std::size_t values, float scale) {
  std::mt19937 random(9);
  std::normal_distribution<float> draw(0, scale);
  std::vector<float> v(values);
  for (float& one : v) one = draw(random);
  return v;
}

TEST(SplitRows, AgreesWithTheSplitInDouble) {
  for (const std::size_t n : {1u, 2u, 5u, 33u, 256u}) {
    for (const float tail : {1e-6f, 1e-2f, 1.0f, 100.0f, 1e4f}) {
      const std::vector<float> v = random_rows(37 * n, 4);
      std::vector<float> share(v.size());
      split_rows(v, n, {}, {}, {}, tail, share);
      for (std::size_t first = 0; first < v.size(); first += n) {
        const std::vector<double> row(v.begin() + static_cast<std::ptrdiff_t>(first),
                                      v.begin() + static_cast<std::ptrdiff_t>(first + n));
        const std::vector<double> p = shares(row, static_cast<double>(tail));
        for (std::size_t k = 0; k < n; ++k) {
          if (p[k] < 1e-20) continue;
          ASSERT_NEAR(static_cast<double>(share[first + k]) / p[k], 1, 1e-5) << n << " " << tail << " " << k;
        }
      }
    }
  }
}

TEST(SplitRows, SameBitsOnEveryVectorUnit) {
  constexpr std::size_t n = 21;
  const std::vector<float> v = random_rows(50 * n, 3), shift = random_rows(n, 0.1f);
  std::vector<float> first;
  for (const VectorUnit unit : vector_units) {
    if (!is_supported(unit)) continue;
    std::vector<float> share(v.size());
    split_rows(v, n, shift, {}, {}, 0.01f, share, unit);
    if (first.empty()) first = share;
    EXPECT_EQ(share, first);
  }
}

TEST(SplitRows, MaskedTransistorsAreNotThere) {
  const std::vector<float> v{1, 5, 2, 1, 5, 2, 1, 5, 2};
  const std::vector<unsigned char> masked{0, 1, 0, 1, 1, 0, 1, 1, 1};
  std::vector<float> share(9), two(2);
  split_rows(v, 3, {}, {}, masked, 1e-3f, share);
  split_rows(std::vector<float>{1, 2}, 2, {}, {}, {}, 1e-3f, two);
  EXPECT_FLOAT_EQ(share[0], two[0]);
  EXPECT_EQ(share[1], 0);
  EXPECT_FLOAT_EQ(share[2], two[1]);
  EXPECT_EQ(share[3], 0);
  EXPECT_FLOAT_EQ(share[5], 1);
  for (std::size_t k = 6; k < 9; ++k) EXPECT_EQ(share[k], 0);
}

}  // namespace
}  // namespace tellegen::circuits
