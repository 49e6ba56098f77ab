// Few bits and a correction of low rank.

#include "tellegen/models/gated/compact_weights.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "language_model.h"

namespace tellegen::models {
namespace {

constexpr std::int64_t kOutputs = 24, kInputs = 40;

std::vector<float> random_weights() {
  std::mt19937 draws(5);
  std::normal_distribution<float> normal;
  std::vector<float> weights(kOutputs * kInputs);
  for (float& weight : weights) weight = normal(draws);
  return weights;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i] - b[i]), 2);
  return std::sqrt(sum);
}

TEST(CompactWeights, AreWholeNumbersOfEachGroupsScale) {
  const std::vector<float> weights = random_weights();
  for (const std::int64_t group : {0, 16, 40, 100}) {
    const std::vector<float> q = compact(weights, kOutputs, {4, group, 0});
    const std::int64_t size = group == 0 || group > kInputs ? kInputs : group;
    for (std::int64_t row = 0; row < kOutputs; ++row)
      for (std::int64_t first = 0; first < kInputs; first += size) {
        float largest = 0;
        const std::int64_t end = std::min(first + size, kInputs);
        for (std::int64_t i = first; i < end; ++i)
          largest = std::max(largest, std::abs(weights[static_cast<std::size_t>(row * kInputs + i)]));
        for (std::int64_t i = first; i < end; ++i) {
          const auto at = static_cast<std::size_t>(row * kInputs + i);
          const float number = q[at] / (largest / 7);
          EXPECT_NEAR(number, std::round(number), 1e-5F);
          EXPECT_LE(std::abs(number), 7.0001F);
          EXPECT_LE(std::abs(q[at] - weights[at]), largest / 14 * 1.0001F) << "half a step";
        }
      }
  }
}

TEST(CompactWeights, ZerosStay) {
  EXPECT_EQ(compact(std::vector<float>(12, 0.0F), 3, {4, 2, 1}), std::vector<float>(12, 0.0F));
}

/// The best approximation of the residual: what is left are its smaller singular values.
TEST(CompactWeights, CorrectionLeavesTheSmallerSingularValues) {
  const std::vector<float> weights = random_weights(), q = compact(weights, kOutputs, {4, 0, 0});
  Eigen::MatrixXd residual(kOutputs, kInputs);
  for (std::int64_t i = 0; i < kOutputs * kInputs; ++i)
    residual(i / kInputs, i % kInputs) =
        static_cast<double>(weights[static_cast<std::size_t>(i)] - q[static_cast<std::size_t>(i)]);
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(residual).singularValues();
  double before = distance(weights, q);
  for (const std::int64_t rank : {1, 2, 5, 12, 23}) {
    const double left = distance(weights, compact(weights, kOutputs, {4, 0, rank}));
    EXPECT_NEAR(left, values.tail(kOutputs - rank).norm(), 1e-5);
    EXPECT_LT(left, before);
    before = left;
  }
}

TEST(CompactWeights, FullRankGivesTheWeightsBack) {
  const std::vector<float> weights = random_weights();
  for (const std::int64_t rank : {kOutputs, 2 * kOutputs}) {
    const std::vector<float> back = compact(weights, kOutputs, {2, 0, rank});
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(back[i], weights[i], 2e-6F);
  }
}

TEST(CompactWeights, TakeTheBitsThatTheyHave) {
  EXPECT_EQ(compact_bits(256, 128, {4, 0, 0}), 4 * 256 * 128 + 32 * 256);
  EXPECT_EQ(compact_bits(256, 128, {4, 32, 0}), 4 * 256 * 128 + 32 * 256 * 4);
  EXPECT_EQ(compact_bits(256, 100, {4, 32, 8}), 4 * 256 * 100 + 32 * 256 * 4 + 32 * 8 * 356);
  EXPECT_EQ(compact_bits(256, 128, {3, 0, 1000}), 3 * 256 * 128 + 32 * 256 + 32 * 128 * 384);
}

/// Normal weights: the largest of 128 is about 2.9 deviations, and the step a seventh of that (step^2 / 12: 18.0 dB for 128 inputs).
TEST(CompactWeights, LoseWhatTheStepSays) {
  std::mt19937 draws(7);
  std::normal_distribution<float> normal;
  std::vector<float> weights(512 * 128);
  for (float& weight : weights) weight = normal(draws);
  double expected = 0, power = 0;
  for (std::size_t row = 0; row < 512; ++row) {
    float largest = 0;
    for (std::size_t i = 0; i < 128; ++i) {
      largest = std::max(largest, std::abs(weights[row * 128 + i]));
      power += std::pow(static_cast<double>(weights[row * 128 + i]), 2);
    }
    expected += 128 * std::pow(static_cast<double>(largest) / 7, 2) / 12;
  }
  const double measured = std::pow(distance(weights, compact(weights, 512, {4, 0, 0})), 2);
  EXPECT_NEAR(measured / expected, 1, 0.02);
  EXPECT_NEAR(10 * std::log10(power / measured), 18.4, 0.4);
}

TEST(WithCompactWeights, ChangesTheGatedLayersOnly) {
  const Network network = trained("lm_swiglu");
  const CompactNetwork changed = with_compact_weights(network, {4, 32, 4});
  ASSERT_EQ(changed.matrices.size(), 9U);
  std::set<std::string> names;
  for (const CompactMatrix& matrix : changed.matrices) {
    names.insert(matrix.name);
    EXPECT_EQ(matrix.outputs * matrix.inputs, 256 * 128);
    EXPECT_EQ(matrix.bits_before, 32 * 256 * 128);
    EXPECT_EQ(matrix.bits_after, compact_bits(matrix.outputs, matrix.inputs, {4, 32, 4}));
    EXPECT_GT(matrix.error, 0.03);
    EXPECT_LT(matrix.error, 0.12);
  }
  for (std::size_t i = 0; i < network.nodes.size(); ++i)
    EXPECT_EQ(changed.network.nodes[i].operation != network.nodes[i].operation, names.contains(network.nodes[i].name));
  const CompactNetwork without = with_compact_weights(network, {4, 32, 0});
  for (std::size_t i = 0; i < 9; ++i) EXPECT_LT(changed.matrices[i].error, without.matrices[i].error);
}

TEST(WithCompactWeights, LeavesTheLanguageModelMuchAsItIs) {
  const Network network = trained("lm_swiglu");
  const auto set = windows_for(network);
  const auto nll = [&](const CompactWeights& form) {
    return evaluate(with_compact_weights(network, form).network, *set, {32, 16, 0})[0].value;
  };
  const double exact = evaluate(network, *set, {32, 16, 0})[0].value;
  EXPECT_NEAR(nll({4, 0, 128}), exact, 1e-5) << "full rank";
  EXPECT_LT(nll({4, 32, 0}) - exact, 0.03);
  EXPECT_GT(nll({2, 0, 0}) - exact, nll({4, 0, 0}) - exact);
}

}  // namespace
}  // namespace tellegen::models
