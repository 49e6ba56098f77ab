// Digital units: bit-true outputs, their error, and the price of the same object.

#include <gmock/gmock.h>

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/digital/unit_figures.h"

namespace tellegen::circuits {
namespace {

using testing::HasSubstr;
using testing::StrEq;
using testing::ThrowsMessage;
using namespace tellegen::units;

const FixedPoint eight_bits{8, 4, true};  // -8 to 7.9375 in sixteenths

PiecewiseLinearDesign design(ActivationFunction function, int segments, int bits) {
  PiecewiseLinearDesign d;
  d.function = function;
  d.input = {bits, bits - 4, true};
  d.output_bits = bits;
  d.coefficient_bits = bits;
  d.segments = segments;
  return d;
}

TEST(FixedPoint, WordsByHand) {
  EXPECT_EQ(eight_bits.lowest(), -128);
  EXPECT_EQ(eight_bits.highest(), 127);
  EXPECT_EQ(eight_bits.code(0.5), 8);
  EXPECT_EQ(eight_bits.code(1.5 / 16), 2);  // a tie, to even
  EXPECT_EQ(eight_bits.code(2.5 / 16), 2);
  EXPECT_EQ(eight_bits.code(100), 127);
  EXPECT_EQ(eight_bits.code(-100), -128);
  EXPECT_EQ(eight_bits.code(std::nan("")), 127);
  EXPECT_EQ((FixedPoint{8, 8, false}).highest(), 255);
}

TEST(FixedPoint, TheFinestFormatThatHoldsARange) {
  EXPECT_EQ(format_for(0, 0.99, 8).fraction, 8);
  EXPECT_EQ(format_for(0, 1, 8).fraction, 7);
  EXPECT_EQ(format_for(-1, 0.99, 8).fraction, 7);
  EXPECT_EQ(format_for(-1, 1, 8).fraction, 6);
  EXPECT_EQ(format_for(0, 1000, 8).fraction, -2);
  EXPECT_TRUE(format_for(-1, 1, 8).is_signed);
  EXPECT_FALSE(format_for(0, 1, 8).is_signed);
}

TEST(FixedPoint, ShiftsRoundHalvesUp) {
  EXPECT_EQ(shift_right_rounded(5, 1), 3);
  EXPECT_EQ(shift_right_rounded(-5, 1), -2);
  EXPECT_EQ(shift_right_rounded(5, 0), 5);
  EXPECT_EQ(shift_right_rounded(5, -2), 20);
}

// Each word is the nearest to the function: half a step, whatever the widths.
TEST(LookupTable, IsRightToHalfAStepOfItsOutput) {
  for (const ActivationFunction f : activation_functions()) {
    for (const int input_bits : {4, 8, 12}) {
      for (const int output_bits : {4, 8, 12}) {
        const LookupTable table(f, {input_bits, input_bits - 4, true}, output_bits);
        EXPECT_LE(approximation_error(table).max_steps, 0.5 + 1e-12);
      }
    }
  }
}

// sigmoid(7.9375) = 0.99964 is 255.9 / 256, which has no word of 8 bits: seven bits stand behind the point.
TEST(LookupTable, WordsOfASigmoidByHand) {
  const LookupTable table(ActivationFunction::sigmoid, eight_bits, 8);
  EXPECT_EQ(table.output().fraction, 7);
  EXPECT_EQ(table.code(0), 64);
  EXPECT_EQ(table.code(16), 94);    // 0.73106 * 128 = 93.58
  EXPECT_EQ(table.code(-16), 34);   // 0.26894 * 128 = 34.42
  EXPECT_EQ(table.code(127), 128);  // 127.95
  EXPECT_EQ(table.code(-128), 0);   // 0.04
  EXPECT_EQ(table(100), 1.0);
  EXPECT_EQ(table.stored_bits(), 256 * 8);
}

TEST(PiecewiseLinear, OneSegmentPerWordIsATable) {
  for (const ActivationFunction f : {ActivationFunction::sigmoid, ActivationFunction::silu, ActivationFunction::gelu}) {
    PiecewiseLinearDesign d = design(f, 256, 8);
    d.coefficient_bits = 16;
    const PiecewiseLinear lines(d);
    const LookupTable table(f, d.input, 8);
    for (std::int64_t code = -128; code <= 127; ++code) EXPECT_LE(std::abs(lines.code(code) - table.code(code)), 1);
    EXPECT_LE(approximation_error(lines).max_steps, 0.51);
  }
}

// A line over a segment of width h errs by max|f''| h^2 / 16: four times less with twice the segments.
TEST(PiecewiseLinear, ErrorFallsWithTheSquareOfTheSegments) {
  for (const ActivationFunction f : {ActivationFunction::tanh, ActivationFunction::silu}) {
    double last = 0;
    for (const int segments : {16, 32, 64}) {
      PiecewiseLinearDesign d = design(f, segments, 14);
      d.output_bits = 16;
      d.coefficient_bits = 22;
      const double error = approximation_error(PiecewiseLinear(d)).max;
      if (last > 0) {
        EXPECT_NEAR(last / error, 4, 1.0) << segments;
      }
      last = error;
    }
  }
}

// max|tanh''| = 4 / (3 sqrt 3) = 0.7698 bounds the error of each segment of width 16 / segments.
TEST(PiecewiseLinear, ErrorStaysUnderTheBoundOfTheSecondDerivative) {
  for (const int segments : {8, 16, 32}) {
    PiecewiseLinearDesign d = design(ActivationFunction::tanh, segments, 12);
    d.coefficient_bits = 20;
    const PiecewiseLinear lines(d);
    const double width = 16.0 / segments;
    EXPECT_LE(approximation_error(lines).max,
              4 / (3 * std::sqrt(3.0)) * width * width / 16 + lines.output().step() / 2 + 1e-4);
  }
}

// Any number of segments; adaptive ones err less than even ones, and each starts after the one before.
TEST(PiecewiseLinear, AdaptiveSegmentsErrLessThanEvenOnes) {
  for (const ActivationFunction f :
       {ActivationFunction::sigmoid, ActivationFunction::tanh_sech, ActivationFunction::gelu}) {
    for (const int segments : {3, 7, 12, 20}) {
      PiecewiseLinearDesign d = design(f, segments, 12);
      d.output_bits = 14;
      d.coefficient_bits = 22;
      const double even = approximation_error(PiecewiseLinear(d)).max;
      d.placement = SegmentPlacement::adaptive;
      const PiecewiseLinear adaptive(d);
      EXPECT_LE(approximation_error(adaptive).max, even + adaptive.output().step()) << segments;
      EXPECT_LE(adaptive.starts().size(), static_cast<std::size_t>(segments));
      EXPECT_EQ(adaptive.starts().front(), 0);
      EXPECT_TRUE(std::ranges::is_sorted(adaptive.starts(), std::less_equal<>()));
      EXPECT_FALSE(adaptive.picked_by_upper_bits());
    }
  }
}

// Segments of equal error e of a smooth function: N of them err like 1 / N^2, as even ones, but with a smaller factor.
TEST(PiecewiseLinear, AdaptiveErrorFallsWithTheSquareOfTheSegments) {
  PiecewiseLinearDesign d = design(ActivationFunction::tanh, 8, 14);
  d.output_bits = 16;
  d.coefficient_bits = 24;
  d.placement = SegmentPlacement::adaptive;
  const double eight = approximation_error(PiecewiseLinear(d)).max;
  d.segments = 32;
  EXPECT_NEAR(eight / approximation_error(PiecewiseLinear(d)).max, 16, 4);
}

TEST(PiecewiseLinear, FewerCoefficientBitsErrMore) {
  double last = 0;
  for (const int bits : {16, 8, 5}) {
    PiecewiseLinearDesign d = design(ActivationFunction::sigmoid, 32, 10);
    d.coefficient_bits = bits;
    const double error = approximation_error(PiecewiseLinear(d)).rms;
    EXPECT_GT(error, last);
    last = error;
  }
}

TEST(PiecewiseLinear, ImpossibleDesignsAreRefused) {
  EXPECT_THAT(
      [] { PiecewiseLinear(design(ActivationFunction::tanh, 300, 8)); },
      ThrowsMessage<InputError>(StrEq(
          "300 segments for 8 input bits, 8 output bits and 8 coefficient bits cannot be made; there is at most one "
          "segment per input word, inputs have 1 to 16 bits, outputs 2 to 16, coefficients 2 to 24.")));
  EXPECT_THAT(
      [] {
        LookupTable(ActivationFunction::tanh, {20, 4, true}, 8);
      },
      ThrowsMessage<InputError>(StrEq("a table of 20 input bits and 8 output bits cannot be made; inputs have 1 to 16 "
                                      "bits, outputs 2 to 16.")));
}

CostModel horowitz() {
  CostConfig config;
  config.digital = "horowitz_2014";
  return CostModel(config, TELLEGEN_SOURCE_DIR "/configs/costs");
}

// The composition at 45 nm, 8 bits: 0.03 + 0.5 + 0.2 + 0.05 pJ; without the coefficients' registers 0.28 pJ.
TEST(UnitPrice, PiecewiseLinearIsTheSumOfItsParts) {
  const CostModel costs = horowitz();
  PiecewiseLinearDesign d = design(ActivationFunction::sigmoid, 16, 8);
  const Price with_registers = price(PiecewiseLinear(d), costs, 45 * nm);
  EXPECT_NEAR(with_registers.energy_J.typical * 1e12, 0.78, 1e-12);
  d.hard_wired = true;
  const Price wired = price(PiecewiseLinear(d), costs, 45 * nm);
  EXPECT_NEAR(wired.energy_J.typical * 1e12, 0.28, 1e-12);
  // 16 segments of two words of 8 bits in registers of 5.98 um2 (40 nm).
  const double bit = costs.entry("aladdin_register_bit", 45 * nm).area_m2.typical;
  EXPECT_NEAR((with_registers.area_m2.typical - wired.area_m2.typical) / bit, 256, 1e-9);
  EXPECT_THAT(with_registers.from.source, HasSubstr("ALADDIN"));
}

// Twelve segments are found in four comparisons instead of by the upper bits.
TEST(UnitPrice, SegmentsThatTheUpperBitsDoNotPickTakeComparisons) {
  const CostModel costs = horowitz();
  const PiecewiseLinear even(design(ActivationFunction::sigmoid, 16, 8)),
      odd(design(ActivationFunction::sigmoid, 12, 8));
  const double more = price(odd, costs, 45 * nm).energy_J.typical - price(even, costs, 45 * nm).energy_J.typical;
  EXPECT_NEAR(more * 1e12, 3 * 0.03, 1e-12);
}

TEST(UnitPrice, AccuracyAndPriceComeFromTheSameObject) {
  const CostModel costs = horowitz();
  double last_error = 1e9, last_area = 0;
  for (const int segments : {4, 8, 16, 32}) {
    const PiecewiseLinear lines(design(ActivationFunction::silu, segments, 10));
    EXPECT_LT(approximation_error(lines).max, last_error);
    EXPECT_GT(price(lines, costs, 45 * nm).area_m2.typical, last_area);
    last_error = approximation_error(lines).max;
    last_area = price(lines, costs, 45 * nm).area_m2.typical;
  }
}

// A table of 2^12 words of 8 bits is a memory of 4 KB: one word of it.
TEST(UnitPrice, ATableIsOneReadOfItsMemory) {
  const CostModel costs = horowitz();
  const LookupTable table(ActivationFunction::sigmoid, {12, 8, true}, 8);
  const Price price_of_table = price(table, costs, 32 * nm);
  EXPECT_DOUBLE_EQ(price_of_table.energy_J.typical, 8 * 2.658e-12 / 64);
  EXPECT_DOUBLE_EQ(price_of_table.area_m2.typical, 7453.6e-12);
}

}  // namespace
}  // namespace tellegen::circuits
