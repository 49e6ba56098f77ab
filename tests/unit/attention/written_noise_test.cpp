// Noise of rewritten cells: closed forms, and which draws belong to what.

#include <gtest/gtest.h>

#include <cmath>

#include "written_product.h"

namespace tellegen::sim {
namespace {

using test::ProductShape;

std::string noisy(const std::string& device) {
  return "  dac: {bits: ideal}\n  adc: {bits: ideal}\n  attention: {products: crossbar, cell: pcm, rows: 64, columns: "
         "64, device: "
         "{model: generic, g_min: 20 uS, g_max: 120 uS" +
         device + "}}\n";
}

/// The same matrices again and again: each sample is a new write and a new read.
models::Tensor repeated(const models::Tensor& one, std::int64_t times) {
  models::Tensor all{one.shape, {}};
  all.shape[0] = times;
  for (std::int64_t i = 0; i < times; ++i) all.data.insert(all.data.end(), one.data.begin(), one.data.end());
  return all;
}

models::Tensor outputs(const ExperimentConfig& config, const ProductShape& shape, const models::Tensor& first,
                       const models::Tensor& second, WrittenPlace place = {}, bool causal = false) {
  const mapping::LayerPlan plan = test::planned(shape, config.chip);
  const WrittenArrays<double> arrays(config, 0);
  WrittenLayer layer = test::layer_of(shape, config, true, causal);
  arrays.calibrate(layer, plan, first, second);
  LayerEvents events;
  return arrays.multiply(layer, plan, first, second, place, events);
}

constexpr std::int64_t kSamples = 1500;

/// var y = sum_i x_i^2 2 (sigma_write^2 + sigma_read^2) / span^2: two cells per value, whatever the value.
TEST(WrittenNoise, VarianceOfOutputsIsThatOfTheirCells) {
  const ExperimentConfig config =
      test::attention(noisy(", programming_noise: {absolute: 2 uS}, read_noise: {absolute: 1 uS}"));
  const ProductShape shape{2, 1, 6, 8, false};
  const models::Tensor x = test::values({1, 2, 1, 6}, 3), w = test::values({1, 2, 6, 8}, 4);
  const models::Tensor y = outputs(config, shape, repeated(x, kSamples), repeated(w, kSamples));
  for (std::int64_t h = 0; h < 2; ++h) {
    double squares = 0;
    for (std::size_t i = 0; i < 6; ++i)
      squares += std::pow(static_cast<double>(x.data[static_cast<std::size_t>(h) * 6 + i]), 2);
    const double expected = squares * 2 * (4.0 + 1.0) / (100.0 * 100.0);
    double sum = 0, mean = 0;
    for (std::int64_t b = 0; b < kSamples; ++b) {
      for (std::int64_t s = 0; s < 8; ++s) {
        const double error = static_cast<double>(y.data[static_cast<std::size_t>((b * 2 + h) * 8 + s)]) -
                             test::exact_element(x, w, 0, h, 0, s);
        sum += error * error;
        mean += error;
      }
    }
    const double count = 8.0 * kSamples;
    EXPECT_NEAR(sum / count, expected, 5 * expected * std::sqrt(2 / count));
    EXPECT_NEAR(mean / count, 0, 5 * std::sqrt(expected / count));
  }
}

/// Two equal queries of one sample see the same cells: what the write did cancels in their difference, reads do not.
TEST(WrittenNoise, AWriteIsDrawnOnceForAllItsReads) {
  const ProductShape shape{1, 2, 6, 8, false};
  const models::Tensor one = test::values({1, 1, 1, 6}, 5), w = test::values({1, 1, 6, 8}, 6);
  models::Tensor twice{{1, 1, 2, 6}, one.data};
  twice.data.insert(twice.data.end(), one.data.begin(), one.data.end());
  const auto difference = [&](const std::string& device) {
    const models::Tensor y =
        outputs(test::attention(noisy(device)), shape, repeated(twice, kSamples), repeated(w, kSamples));
    double sum = 0;
    for (std::int64_t b = 0; b < kSamples; ++b) {
      for (std::size_t s = 0; s < 8; ++s) {
        const std::size_t at = static_cast<std::size_t>(b) * 16 + s;
        sum += std::pow(static_cast<double>(y.data[at]) - static_cast<double>(y.data[at + 8]), 2);
      }
    }
    return sum / (8.0 * kSamples);
  };
  double squares = 0;
  for (const float x : one.data) squares += static_cast<double>(x) * static_cast<double>(x);
  EXPECT_LT(difference(", programming_noise: {absolute: 2 uS}"), 1e-12);
  const double expected = 2 * squares * 2 * 1.0 / (100.0 * 100.0);
  EXPECT_NEAR(difference(", programming_noise: {absolute: 2 uS}, read_noise: {absolute: 1 uS}"), expected,
              5 * expected * std::sqrt(2 / (8.0 * kSamples)));
}

/// Sample 3 has its draws, whatever batch it comes in; it has others than sample 4.
TEST(WrittenNoise, DrawsBelongToTheSample) {
  const ExperimentConfig config =
      test::attention(noisy(", programming_noise: {absolute: 2 uS}, read_noise: {absolute: 1 uS}"));
  const ProductShape shape{2, 3, 6, 8, false};
  const models::Tensor x = test::values({1, 2, 3, 6}, 3), w = test::values({1, 2, 6, 8}, 4);
  const models::Tensor all = outputs(config, shape, repeated(x, 5), repeated(w, 5));
  const models::Tensor third = outputs(config, shape, x, w, {3, 3});
  const std::size_t size = third.data.size();
  const auto begin = all.data.begin() + static_cast<std::ptrdiff_t>(3 * size);
  EXPECT_TRUE(std::equal(third.data.begin(), third.data.end(), begin));
  EXPECT_FALSE(std::equal(third.data.begin(), third.data.end(), begin + static_cast<std::ptrdiff_t>(size)));
}

/// Written token by token or all at once: the same cells with the same noise.
TEST(WrittenNoise, TokenByTokenDrawsTheSame) {
  const ExperimentConfig config =
      test::attention(noisy(", programming_noise: {absolute: 2 uS}, read_noise: {absolute: 1 uS}"));
  const ProductShape shape{2, 9, 6, 9, false};
  const models::Tensor x = test::values({2, 2, 9, 6}, 3), w = test::values({2, 2, 6, 9}, 4);
  const models::Tensor whole = outputs(config, shape, x, w), token = outputs(config, shape, x, w, {}, true);
  for (std::size_t i = 0; i < whole.data.size(); ++i) {
    const bool is_there = i % 9 <= i / 9 % 9;
    EXPECT_NEAR(static_cast<double>(token.data[i]), is_there ? static_cast<double>(whole.data[i]) : 0, 1e-7);
  }
}

/// Stuck cells are stuck with every write, programming errors are new ones.
TEST(WrittenNoise, WritesChangeErrorsNotCells) {
  const auto device =
      test::attention(noisy(", stuck_off: 0.2, programming_noise: {absolute: 2 uS}")).chip.attention.device.make();
  const std::vector<float> target_S(200, 70e-6F);
  const devices::ProgrammedCells first = device->program(target_S, {5, {1, 2, 0}, 1}),
                                 second = device->program(target_S, {5, {1, 2, 0}, 2});
  EXPECT_EQ(first.faults, second.faults);
  std::size_t same = 0, stuck = 0;
  for (std::size_t i = 0; i < target_S.size(); ++i) {
    stuck += first.faults[i] != devices::Fault::none ? 1 : 0;
    same += first.g_S[i] == second.g_S[i] ? 1 : 0;
  }
  EXPECT_GT(stuck, 0U);
  EXPECT_EQ(same, stuck);
}

}  // namespace
}  // namespace tellegen::sim
