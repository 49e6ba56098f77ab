// Softmax by circuits between converters, row by row.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tellegen/base/random.h"
#include "unit_fixture.h"

namespace tellegen::sim {
namespace {

using models::Tensor;

constexpr std::int64_t kHeads = 4, kRow = 128;

/// Scores [samples, 4, 128, 128] with a causal mask of `masked`.
Tensor scores(std::int64_t samples, float masked) {
  Tensor z{{samples, kHeads, kRow, kRow}, std::vector<float>(static_cast<std::size_t>(samples * kHeads * kRow * kRow))};
  Stream(9, Purpose::test, {0, 0, 0}).normals(0, z.data);
  for (std::size_t at = 0; at < z.data.size(); ++at) {
    const auto key = static_cast<std::int64_t>(at) % kRow, query = static_cast<std::int64_t>(at) / kRow % kRow;
    if (key > query) z.data[at] += masked;
  }
  return z;
}

Tensor shares(const test::OneUnit& one, const Tensor& z, UnitEvents& events, std::uint64_t first = 0) {
  ProgrammedUnit programmed = program_unit(one.place());
  calibrate_unit(programmed, one.place(), scores(2, -1e9F));
  return run_unit(programmed, one.place(), z, first, z.shape[0], events);
}

Tensor shares(const test::OneUnit& one, const Tensor& z) {
  UnitEvents ignored;
  return shares(one, z, ignored);
}

std::string units(const std::string& fidelity, const std::string& circuit) {
  return "analog_units: {fidelity: " + fidelity + ", softmax: {circuit: " + circuit + "}}";
}

TEST(SoftmaxUnit, IdealOnesAreSoftmax) {
  const test::OneUnit one("lm_swiglu", test::kIdealConverters + units("ideal", "softmax_array"));
  const Tensor z = scores(2, -1e9F), p = shares(one, z), expected = test::exactly(one, z);
  for (std::size_t i = 0; i < p.data.size(); ++i) ASSERT_NEAR(p.data[i], expected.data[i], 1e-6);
}

TEST(SoftmaxUnit, MaskedScoresHaveNoCurrentHoweverTheyAreMasked) {
  for (const float masked : {-1e4F, -1e9F, -std::numeric_limits<float>::infinity()}) {
    // Not even noise of the converters is left there.
    const test::OneUnit one("lm_swiglu", "adc: {bits: 8, enob: 5}, " + units("circuit", "softmax_array"));
    UnitEvents events;
    const Tensor p = shares(one, scores(1, masked), events);
    for (std::size_t at = 0; at < p.data.size(); ++at) {
      const auto key = static_cast<std::int64_t>(at) % kRow, query = static_cast<std::int64_t>(at) / kRow % kRow;
      if (key > query) {
        ASSERT_EQ(p.data[at], 0);
      }
    }
    EXPECT_EQ(events.drives, kHeads * kRow * (kRow + 1) / 2);
    EXPECT_EQ(events.conversions, events.drives);
    EXPECT_EQ(events.evaluations, kHeads * kRow);
    const auto digital = digital_work_beside(one.unit(), events);
    EXPECT_EQ(digital.at("max_pool"), events.drives);
    EXPECT_EQ(digital.at("add"), events.drives);
  }
}

/// What leaks is 1 pA of 10 nA at each input.
TEST(SoftmaxUnit, RowsOfTheArraySumToOneAndWhatLeaks) {
  const test::OneUnit one("lm_swiglu", test::kIdealConverters + units("circuit", "softmax_array"));
  const Tensor p = shares(one, scores(1, -1e9F));
  for (std::size_t row = 0; row < p.data.size(); row += kRow) {
    double sum = 0;
    for (std::size_t k = 0; k < kRow; ++k) sum += static_cast<double>(p.data[row + k]);
    const double inputs = static_cast<double>(row / kRow % kRow) + 1;
    // Noise of the tail is common to the whole row.
    ASSERT_NEAR(sum, 1 + 1e-4 * inputs, 0.05);
  }
  const test::OneUnit nominal("lm_swiglu", test::kIdealConverters + units("nominal", "softmax_array"));
  const Tensor q = shares(nominal, scores(1, -1e9F));
  for (std::size_t row = 0; row < q.data.size(); row += kRow) {
    double sum = 0;
    for (std::size_t k = 0; k < kRow; ++k) sum += static_cast<double>(q.data[row + k]);
    ASSERT_NEAR(sum, 1 + 1e-4 * (static_cast<double>(row / kRow % kRow) + 1), 1e-5);
  }
}

TEST(SoftmaxUnit, IsItsCircuitWithTheErrorsAndNoiseOfItsHead) {
  for (const std::string circuit : {"softmax_array", "softmax_tree", "softmax_chain"}) {
    const test::OneUnit one("vit_mnist", test::kIdealConverters + units("circuit", circuit));
    Tensor z{{1, 4, 16, 16}, std::vector<float>(4 * 16 * 16)};
    Stream(9, Purpose::test, {0, 0, 0}).normals(0, z.data);
    ProgrammedUnit programmed = program_unit(one.place());
    calibrate_unit(programmed, one.place(), z);
    UnitEvents events;
    const Tensor p = run_unit(programmed, one.place(), z, 3, 1, events);
    const auto node = static_cast<std::uint32_t>(one.unit().node);
    for (std::uint32_t head = 0; head < 4; ++head) {
      const Stream mismatch(one.config.evaluate.seed, Purpose::mismatch, {0, node, 100'000 + head}),
          noise(one.config.evaluate.seed, Purpose::front_end_noise, {0, node, 100'000 + head});
      const std::vector<float> of_head(z.data.begin() + head * 256, z.data.begin() + (head + 1) * 256);
      std::vector<float> expected(256);
      one.unit().softmax->evaluate(of_head, 16, {}, one.unit().softmax->sample(mismatch, 16), &noise, 3 * 16, expected);
      for (std::size_t i = 0; i < 256; ++i)
        ASSERT_NEAR(p.data[head * 256 + i], std::clamp(expected[i], 0.0F, 1.0F), 2e-5) << circuit << ", head " << head;
    }
  }
}

TEST(SoftmaxUnit, SamplesHaveTheirNoiseInAnyBatch) {
  const test::OneUnit one("lm_swiglu", units("circuit", "softmax_array"));
  const Tensor z = scores(2, -1e9F);
  UnitEvents events;
  const Tensor whole = shares(one, z, events, 6);
  const auto half = static_cast<std::ptrdiff_t>(z.data.size() / 2);
  const Tensor second{{1, kHeads, kRow, kRow}, {z.data.begin() + half, z.data.end()}};
  const Tensor p = shares(one, second, events, 7);
  EXPECT_TRUE(std::equal(p.data.begin(), p.data.end(), whole.data.begin() + half));
}

/// 8 bits over the calibrated depth, 8 bits over the tail current.
TEST(SoftmaxUnit, ConvertersHaveTheirSteps) {
  const test::OneUnit one("lm_swiglu", "dac: {bits: ideal}, adc: {bits: 8}, " + units("ideal", "softmax_array"));
  const Tensor p = shares(one, scores(1, -1e9F));
  for (const float share : p.data) ASSERT_NEAR(255 * share, std::nearbyint(255 * share), 1e-3);
}

}  // namespace
}  // namespace tellegen::sim
