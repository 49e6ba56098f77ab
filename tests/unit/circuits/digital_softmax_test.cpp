// Softmax to base 2 and requantisers, bit by bit.

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "tellegen/base/error.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/digital/requantiser.h"
#include "tellegen/circuits/digital/softmax_unit.h"

namespace tellegen::circuits {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StrEq;
using testing::ThrowsMessage;
using namespace tellegen::units;

TEST(SoftmaxUnit, VectorsByHand) {
  const SoftmaxUnit unit({{8, 4, true}, 10, 10, 8});
  EXPECT_THAT(unit.codes(std::vector<std::int64_t>{5}), ElementsAre(255));                 // 1 has no word: saturated
  EXPECT_THAT(unit.codes(std::vector<std::int64_t>{7, 7}), ElementsAre(128, 128));         // halves
  EXPECT_THAT(unit.codes(std::vector<std::int64_t>{16, 0, 0}), ElementsAre(128, 64, 64));  // 2 : 1 : 1
  EXPECT_THAT(unit.codes(std::vector<std::int64_t>{127, -128}), ElementsAre(255, 0));
}

// A table of four reciprocals, each that of the middle of its cell: 8 / 1.125, 8 / 1.375, 8 / 1.625, 8 / 1.875 are 7, 6, 5, 4.
TEST(SoftmaxUnit, ReciprocalsByHand) {
  const SoftmaxUnit unit({{8, 4, true}, 10, 2, 8});
  const auto of_equals = [&](std::size_t length) { return unit.codes(std::vector<std::int64_t>(length, 7))[0]; };
  EXPECT_EQ(of_equals(2), 112);  // 256 * 7 / 8 / 2
  EXPECT_EQ(of_equals(3), 80);   // 256 * 5 / 8 / 2
  EXPECT_EQ(of_equals(5), 48);   // 256 * 6 / 8 / 4
  EXPECT_EQ(of_equals(7), 32);   // 256 * 4 / 8 / 4
}

std::vector<double> exact(const std::vector<std::int64_t>& codes, const FixedPoint& input) {
  std::vector<double> y;
  double sum = 0;
  for (const std::int64_t code : codes) sum += y.emplace_back(std::exp2(input.value(code)));
  for (double& value : y) value /= sum;
  return y;
}

/// Largest error over random vectors, in steps of the output.
double largest_error(const SoftmaxDesign& design, std::size_t length) {
  const SoftmaxUnit unit(design);
  const Stream random(9, Purpose::test, {});
  double most = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    std::vector<std::uint32_t> words(length);
    random.words(trial * 1024, words);
    std::vector<std::int64_t> codes;
    for (const std::uint32_t word : words) codes.push_back(design.input.lowest() + (word >> (32 - design.input.bits)));
    const std::vector<std::int64_t> found = unit.codes(codes);
    const std::vector<double> expected = exact(codes, design.input);
    for (std::size_t i = 0; i < length; ++i)
      most = std::max(most, std::abs(std::ldexp(static_cast<double>(found[i]), -design.output_bits) - expected[i]));
  }
  return std::ldexp(most, design.output_bits);
}

// Half a step of the output, half a step of each power over a sum of at least 1, half a cell of the reciprocal.
TEST(SoftmaxUnit, ErrsByItsRoundingsAlone) {
  for (const std::size_t length : {2U, 10U, 64U}) {
    const SoftmaxDesign design{{8, 4, true}, 14, 12, 8};
    const double powers = 0.5 * std::ldexp(static_cast<double>(length) + 1, 8 - 14),
                 reciprocal = std::ldexp(1.5, 8 - 13);
    EXPECT_LE(largest_error(design, length), std::max(1.0, 0.5 + powers + reciprocal)) << length;  // 1 is one step off
  }
}

TEST(SoftmaxUnit, MoreBitsErrLess) {
  double last = 1;
  for (const int bits : {4, 6, 8, 10}) {
    const double error = std::ldexp(largest_error({{10, 6, true}, bits + 4, bits + 2, bits}, 16), -bits);
    EXPECT_LT(error, 0.6 * last) << bits;
    last = error;
  }
}

TEST(SoftmaxUnit, PriceIsTheSumOfItsPartsAndTheReciprocalIsShared) {
  CostConfig config;
  config.digital = "horowitz_2014";
  const CostModel costs(config, TELLEGEN_SOURCE_DIR "/configs/costs");
  const SoftmaxUnit unit({{8, 4, true}, 8, 8, 8});
  const auto read_J = [&](std::int64_t bytes) { return costs.buffer(Access::read, bytes, 45 * nm).energy_J.typical; };
  const double adds_J = (3 * 0.03 + 0.05) * 1e-12;  // compare, subtract, shift of 8 bits; a sum of 14
  const double expected = adds_J + 9 * read_J(18) + 10.0 / 64 * read_J(320) + 0.2e-12;
  EXPECT_NEAR(price(unit, 64, costs, 45 * nm).energy_J.typical, expected, 1e-22);
  EXPECT_LT(price(unit, 256, costs, 45 * nm).energy_J.typical,
            price(unit, 64, costs, 45 * nm).energy_J.typical + 1e-22);
}

TEST(SoftmaxUnit, ImpossibleDesignsAreRefused) {
  EXPECT_THAT(
      [] {
        SoftmaxUnit({{8, 13, true}, 8, 8, 8});
      },
      ThrowsMessage<InputError>(HasSubstr("0 to 12 behind the point, the others 2 to 16.")));
}

// |y - scale x| <= half a step, and the error of the scale.
TEST(Requantiser, IsRightToHalfAStepAndTheScale) {
  const FixedPoint output{8, 0, true};
  for (const double scale : {0.0123, 0.5, 0.9999, 3.7}) {
    for (const int bits : {8, 12, 16}) {
      const Requantiser requantiser(scale, bits, output);
      EXPECT_NEAR(requantiser.scale() / scale, 1, std::ldexp(1.0, -bits));
      for (std::int64_t x = -300; x <= 300; ++x) {
        const double wanted = std::clamp(scale * static_cast<double>(x), -128.0, 127.0);
        const double slack = 0.5 + std::ldexp(scale * 300, -bits);
        EXPECT_LE(std::abs(static_cast<double>(requantiser.code(x)) - wanted), slack)
            << scale << " " << bits << " " << x;
      }
    }
  }
}

TEST(Requantiser, AScaleThatRoundsUpToAPowerOfTwoIsExact) {
  const Requantiser requantiser(0.99999, 8, {8, 0, true});
  EXPECT_EQ(requantiser.scale(), 1.0);
  EXPECT_EQ(requantiser.multiplier(), 128);
  EXPECT_EQ(requantiser.code(57), 57);
  EXPECT_EQ(requantiser.code(1000), 127);
  EXPECT_EQ(requantiser.code(-1000), -128);
}

TEST(Requantiser, WrongScalesAreRefused) {
  EXPECT_THAT(
      [] {
        Requantiser(0, 8, {8, 0, true});
      },
      ThrowsMessage<InputError>(StrEq("a requantiser by 0 with a multiplier of 8 bits cannot be made; the scale is "
                                      "above 0, the multiplier has 2 to 31 bits.")));
}

}  // namespace
}  // namespace tellegen::circuits
