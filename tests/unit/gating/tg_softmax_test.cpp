// Softmax by threshold gates against stored vectors, long double, and what errors of cells must obey.

#include "tellegen/models/gating/tg_softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "tellegen/models/gating/two_stage.h"
#include "vectors.h"

namespace tellegen::models::gating {
namespace {

constexpr double kMasked = -std::numeric_limits<double>::infinity();
constexpr LseSchedule kSchedules[] = {LseSchedule::tree, LseSchedule::prefix_suffix};

template <class Real>
std::vector<Real> random_row(std::mt19937& generator, std::size_t size, double scale) {
  std::normal_distribution<double> normal(0, scale);
  std::vector<Real> row(size);
  for (Real& z : row) z = static_cast<Real>(normal(generator));
  return row;
}

template <class Real>
std::vector<long double> reference(const std::vector<Real>& z) {
  const long double largest = static_cast<long double>(*std::max_element(z.begin(), z.end()));
  std::vector<long double> p;
  long double sum = 0;
  for (const Real v : z) sum += p.emplace_back(std::exp(static_cast<long double>(v) - largest));
  for (long double& v : p) v /= sum;
  return p;
}

TEST(TgSoftmax, StoredRows) {
  for (const auto& row : test::vectors("softmax.json")["cases"]) {
    const auto z = test::numbers(row["z"]), want = test::numbers(row["p"]), theta = test::numbers(row["lse_excl"]);
    const std::string name = row["name"];
    // Inputs of 1e4 have a spacing of 1.8e-12; the rounding of theta is of that size, that of p is not.
    const double spacing = std::abs(z[0]) > 1000 ? 4e-12 : 1e-14;
    for (const LseSchedule schedule : kSchedules) {
      TgSoftmax<double> softmax(schedule);
      std::vector<double> p(z.size()), got(z.size());
      const double sum = softmax(z, p);
      softmax.thresholds(z, got);
      for (std::size_t i = 0; i < z.size(); ++i) {
        EXPECT_NEAR(p[i], want[i], 1e-14) << name << " " << i;
        if (std::isinf(theta[i]))
          EXPECT_EQ(got[i], theta[i]) << name << " " << i;
        else
          EXPECT_NEAR(got[i], theta[i], spacing * std::max(1.0, std::abs(theta[i]))) << name << " " << i;
      }
      EXPECT_NEAR(sum, std::accumulate(want.begin(), want.end(), 0.0), 1e-14) << name;
    }
  }
}

TEST(TgSoftmax, PairsOfNumbers) {
  for (const auto& row : test::vectors("softmax.json")["lse2"]) {
    const double a = test::number(row["a"]), b = test::number(row["b"]), want = test::number(row["y"]);
    TgSoftmax<double> softmax;
    const double z[] = {a, b, 0};  // theta of the third is the LSE of the first two
    double theta[3];
    softmax.thresholds(z, theta);
    if (std::isinf(want))
      EXPECT_EQ(theta[2], want);
    else
      EXPECT_NEAR(theta[2], want, 2e-16 * std::max(1.0, std::abs(want)));
  }
}

TEST(TgSoftmax, Masks) {
  for (const LseSchedule schedule : kSchedules) {
    TgSoftmax<float> softmax(schedule);
    const float masked = -std::numeric_limits<float>::infinity();
    std::vector<float> row{masked, masked, 0.5F, masked};
    EXPECT_EQ(softmax(row, row), 1);
    EXPECT_EQ(row, (std::vector<float>{0, 0, 1, 0}));
    row.assign(4, masked);
    EXPECT_EQ(softmax(row, row), 0);
    EXPECT_EQ(row, (std::vector<float>{0, 0, 0, 0}));
    row.assign(1, -7);
    EXPECT_EQ(softmax(row, row), 1);
    EXPECT_EQ(row, std::vector<float>{1});
    row.clear();
    EXPECT_EQ(softmax(row, row), 0);
  }
}

TEST(TgSoftmax, FloatAgainstLongDouble) {
  std::mt19937 generator(20260807);
  double tree = 0, chain = 0, deviation = 0;
  for (const std::size_t size : {2, 3, 5, 8, 31, 128, 500, 1024}) {
    for (const double scale : {1.0, 5.0, 30.0}) {
      for (int repeat = 0; repeat < 64; ++repeat) {
        const auto z = random_row<float>(generator, size, scale);
        const auto want = reference(z);
        std::vector<float> p(size);
        for (const LseSchedule schedule : kSchedules) {
          TgSoftmax<float> softmax(schedule);
          const double sum = softmax(z, p);
          double& worst = schedule == LseSchedule::tree ? tree : chain;
          for (std::size_t i = 0; i < size; ++i)
            if (want[i] > 1e-20L)
              worst =
                  std::max(worst, static_cast<double>(std::abs(static_cast<long double>(p[i]) - want[i]) / want[i]));
          if (schedule == LseSchedule::tree) deviation = std::max(deviation, std::abs(sum - 1));
        }
      }
    }
  }
  EXPECT_LE(tree, 8e-6);
  EXPECT_LE(chain, 2e-5);
  EXPECT_LE(deviation, 1e-6);
  RecordProperty("tree_ppm", std::to_string(1e6 * tree));
  RecordProperty("chain_ppm", std::to_string(1e6 * chain));
}

TEST(TgSoftmax, DoubleAgainstLongDouble) {
  std::mt19937 generator(7);
  double worst = 0;
  for (const std::size_t size : {3, 128, 1024}) {
    const auto z = random_row<double>(generator, size, 30);
    const auto want = reference(z);
    std::vector<double> p(size);
    TgSoftmax<double> softmax;
    softmax(z, p);
    for (std::size_t i = 0; i < size; ++i)
      if (want[i] > 1e-300L)
        worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(p[i]) - want[i]) / want[i]));
  }
  EXPECT_LE(worst, 1e-13);
}

TEST(TgSoftmax, OperationsAreCounted) {
  std::mt19937 generator(1);
  for (const auto& row : test::vectors("softmax.json")["counts"]) {
    const std::int64_t n = row["n"];
    const SoftmaxCounts want{row["lse2"], row["sigma"]};
    EXPECT_EQ(softmax_counts(n), want);
  }
  for (std::size_t n = 1; n <= 130; ++n) {
    auto z = random_row<double>(generator, n, 1);
    if (n > 2) z[n / 2] = kMasked;  // masks do not change the circuit
    for (const LseSchedule schedule : kSchedules) {
      TgSoftmax<double> softmax(schedule);
      std::vector<double> p(n);
      softmax(z, p);
      EXPECT_EQ(softmax.lse_operations(), softmax_counts(static_cast<std::int64_t>(n)).lse) << n;
      softmax(z, p);
      EXPECT_EQ(softmax.lse_operations(), 2 * softmax_counts(static_cast<std::int64_t>(n)).lse) << n;
    }
  }
}

TEST(TgSoftmax, CausalCounts) {
  EXPECT_EQ(causal_softmax_counts(1024).lse, 1568259);
  for (const std::int64_t length : {2, 3, 10, 197, 2048}) {
    const SoftmaxCounts counts = causal_softmax_counts(length);
    EXPECT_EQ(counts.lse, 3 * length * (length + 1) / 2 - 6 * length + 3);
    EXPECT_EQ(counts.gates, length * (length + 1) / 2 - 1);  // the first token needs none
  }
  // One sequence: GPT-2 has 12 layers of 12 heads, SmolLM-135M 30 of 9, TinyLlama 22 of 32; ViT-B/16 attends to all 197.
  EXPECT_NEAR(static_cast<double>(144 * causal_softmax_counts(1024).lse), 2.258e8, 5e4);
  EXPECT_NEAR(static_cast<double>(270 * causal_softmax_counts(2048).lse), 1.696e9, 5e5);
  EXPECT_NEAR(static_cast<double>(704 * causal_softmax_counts(2048).lse), 4.423e9, 5e5);
  EXPECT_NEAR(static_cast<double>(144 * 197 * softmax_counts(197).lse), 1.660e7, 5e3);
}

/// A cell that is off by a known amount, now up, now down.
struct WrongLse {
  double error;
  double operator()(double a, double b) {
    error = -error;
    return ExactLse<double>{}(a, b) + error;
  }
};

/// LSE has slopes between 0 and 1, so errors of cells add up along the depth at most.
TEST(TgSoftmax, ErrorsOfCellsAddUpAlongTheDepth) {
  std::mt19937 generator(3);
  const std::size_t n = 512;
  const double error = 4e-4;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto z = random_row<double>(generator, n, 2);
    for (const LseSchedule schedule : kSchedules) {
      TgSoftmax<double> exact(schedule);
      TgSoftmax<double, WrongLse> wrong(schedule, {error});
      std::vector<double> want(n), got(n), p(n);
      exact.thresholds(z, want);
      wrong.thresholds(z, got);
      const double depth = schedule == LseSchedule::tree ? 2 * 9 - 2 : static_cast<double>(n - 2);
      for (std::size_t i = 0; i < n; ++i) EXPECT_LE(std::abs(got[i] - want[i]), error * depth + 1e-12);
    }
  }
}

TEST(TgSoftmax, GatesInPlaceOfExactCellsShowInTheSum) {
  std::mt19937 generator(5);
  double tree = 0, chain = 0, largest_p = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto z = random_row<double>(generator, 512, 2);
    const auto want = reference(z);
    std::vector<double> p(z.size());
    for (const LseSchedule schedule : kSchedules) {
      TgSoftmax<double, GateLse> softmax(schedule, {softplus_unit(SoftplusUnit::one_pair)});
      double& worst = schedule == LseSchedule::tree ? tree : chain;
      const double sum = softmax(z, p);
      worst = std::max(worst, std::abs(sum - 1));
      EXPECT_DOUBLE_EQ(sum, std::accumulate(p.begin(), p.end(), 0.0));
      if (schedule == LseSchedule::tree)
        for (std::size_t i = 0; i < p.size(); ++i)
          largest_p = std::max(largest_p, std::abs(p[i] - static_cast<double>(want[i])));
    }
  }
  EXPECT_GT(tree, 5e-4);
  EXPECT_LT(tree, 3e-3);
  EXPECT_LT(largest_p, 1e-3);
  EXPECT_GT(chain, 3 * tree);
  TgSoftmax<double, GateLse> two_pairs(LseSchedule::tree, {softplus_unit(SoftplusUnit::two_pairs)});
  const auto z = random_row<double>(generator, 512, 2);
  std::vector<double> p(z.size());
  EXPECT_NEAR(two_pairs(z, p), 1, 1.2e-5);
}

}  // namespace
}  // namespace tellegen::models::gating
