#include "tellegen/models/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tellegen::models {
namespace {

/// Wilson's interval of 8 of 10, by hand.
TEST(Share, HasWilsonsInterval) {
  const double z = 1.959963984540054, n = 10, p = 0.8;
  const Figure figure = share("top1", 8, 10);
  EXPECT_EQ(figure.name, "top1");
  EXPECT_DOUBLE_EQ(figure.value, 0.8);
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  EXPECT_NEAR(figure.low, centre - half, 1e-15);
  EXPECT_NEAR(figure.high, centre + half, 1e-15);
  // What the interval is for: no certainty from a few hits.
  for (const double count : {7, 10, 48, 10000}) EXPECT_EQ(share("top1", count, count).high, 1) << count;
  EXPECT_NEAR(share("top1", 10, 10).low, n / (n + z * z), 1e-15);
  EXPECT_DOUBLE_EQ(share("top1", 0, 10).low, 0);
}

/// With equal denominators the interval is that of a mean.
TEST(Ratio, IsTheMeanWithItsStandardError) {
  const std::vector<double> numerators{2, 4, 6, 8}, denominators{2, 2, 2, 2};
  const Figure figure = ratio("nll", numerators, denominators);
  EXPECT_DOUBLE_EQ(figure.value, 2.5);
  const double error = std::sqrt((2.25 + 0.25 + 0.25 + 2.25) / 3 / 4);  // of 1, 2, 3, 4
  EXPECT_NEAR(figure.high - figure.value, 1.959963984540054 * error, 1e-12);
  EXPECT_NEAR(figure.value - figure.low, 1.959963984540054 * error, 1e-12);
  // Samples of another length say nothing more or less where all have the same ratio.
  const Figure same = ratio("nll", std::vector<double>{1, 2, 6}, std::vector<double>{2, 4, 12});
  EXPECT_DOUBLE_EQ(same.value, 0.5);
  EXPECT_NEAR(same.high - same.low, 0, 1e-12);
}

TEST(AreaUnderCurve, IsTheShareOfPairsInOrder) {
  const std::vector<double> labels{0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{1, 2, 3, 4}, labels).value, 1);
  EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{4, 3, 2, 1}, labels).value, 0);
  EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{1, 3, 2, 4}, labels).value, 0.75);
  EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{1, 1, 1, 1}, labels).value, 0.5);
  EXPECT_DOUBLE_EQ(area_under_curve(std::vector<double>{1, 2, 2, 3}, labels).value, 0.875);
  const Figure one_kind = area_under_curve(std::vector<double>{1, 2}, std::vector<double>{1, 1});
  EXPECT_DOUBLE_EQ(one_kind.value, 0.5);
  EXPECT_DOUBLE_EQ(one_kind.high - one_kind.low, 1);
}

/// DeLong's variance against the direct double sum over pairs.
TEST(AreaUnderCurve, HasDeLongsInterval) {
  const std::vector<double> positive{0.9, 0.8, 0.3, 0.55, 0.7}, negative{0.1, 0.4, 0.35, 0.6};
  std::vector<double> scores = positive, labels(5, 1.0);
  scores.insert(scores.end(), negative.begin(), negative.end());
  labels.resize(9, 0.0);
  const auto order = [](double p, double n) { return p > n ? 1.0 : p == n ? 0.5 : 0.0; };
  double mean = 0;
  for (const double p : positive)
    for (const double n : negative) mean += order(p, n) / 20;
  double over_positive = 0, over_negative = 0;
  for (const double p : positive) {
    double v = 0;
    for (const double n : negative) v += order(p, n) / 4;
    over_positive += (v - mean) * (v - mean) / 4;
  }
  for (const double n : negative) {
    double v = 0;
    for (const double p : positive) v += order(p, n) / 5;
    over_negative += (v - mean) * (v - mean) / 3;
  }
  const Figure figure = area_under_curve(scores, labels);
  EXPECT_NEAR(figure.value, mean, 1e-15);
  EXPECT_NEAR(figure.value - figure.low, 1.959963984540054 * std::sqrt(over_positive / 5 + over_negative / 4), 1e-12);
}

TEST(NegativeLogLikelihood, IsExactAndDoesNotOverflow) {
  const std::vector<float> logits{1000, 1000, -1000};
  EXPECT_NEAR(negative_log_likelihood(logits, 0), std::log(2.0), 1e-12);
  EXPECT_NEAR(negative_log_likelihood(logits, 2), 2000 + std::log(2.0), 1e-9);
}

TEST(RankOf, CountsWhatIsGreaterOrEqualAndBefore) {
  const std::vector<float> logits{2, 5, 2, 1};
  EXPECT_EQ(rank_of(logits, 1), 0U);
  EXPECT_EQ(rank_of(logits, 0), 1U);
  EXPECT_EQ(rank_of(logits, 2), 2U);
  EXPECT_EQ(rank_of(logits, 3), 3U);
  const std::vector<float> broken{1.0F, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_EQ(rank_of(broken, 0), 1U);
  EXPECT_EQ(rank_of(broken, 1), 2U);
}

TEST(CharacterErrors, AreCountedInCodePoints) {
  EXPECT_EQ(character_errors("kitten", "sitting"), 3);
  EXPECT_EQ(character_errors("", "abc"), 3);
  EXPECT_EQ(character_errors("abc", "abc"), 0);
  EXPECT_EQ(character_errors("caf\xC3\xA9", "cafe"), 1);
  EXPECT_EQ(character_count("caf\xC3\xA9"), 4);
  EXPECT_EQ(character_errors("\xE2\x80\x99", "\xE2\x80\x98"), 1);
}

}  // namespace
}  // namespace tellegen::models
