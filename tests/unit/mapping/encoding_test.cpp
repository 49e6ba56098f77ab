// Closed forms of the encodings, and integer products through cells: drive the columns, add the lines up, compare with
// the product.

#include "tellegen/mapping/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace tellegen::mapping {
namespace {

using testing::Combine;
using testing::Values;

constexpr auto kMin = Conductance::si(1e-6);
constexpr auto kMax = Conductance::si(25e-6);

EncodingConfig make(Encoding encoding, int levels, int slices, Subtraction subtract = Subtraction::digital) {
  EncodingConfig config;
  config.encoding = encoding;
  config.subtract = subtract;
  config.cell_levels = levels;
  config.slices = slices;
  return config;
}

std::vector<float> encode_all(const EncodingConfig& config, const Layout& layout, const std::vector<float>& weights,
                              std::int64_t rows, const std::vector<double>& scales) {
  return encode(config, layout, weights, rows, scales, kMin, kMax);
}

TEST(Encoding, ColumnOrderIsOutputThenSliceThenPolarityThenReferences) {
  const auto pairs = make_layout(make(Encoding::differential, 4, 2, Subtraction::analog), 3, kMin, kMax);
  EXPECT_EQ(pairs.physical_columns, 12);
  ASSERT_EQ(pairs.lines.size(), 6U);
  EXPECT_EQ(pairs.lines[3].plus, 6);  // output 1, slice 1
  EXPECT_EQ(pairs.lines[3].minus, 7);
  EXPECT_EQ(pairs.lines[3].output, 1);
  EXPECT_DOUBLE_EQ(pairs.lines[2].factor, 4 * pairs.lines[3].factor);  // most significant first

  const auto converted_twice = make_layout(make(Encoding::differential, 4, 2), 3, kMin, kMax);
  EXPECT_EQ(converted_twice.physical_columns, 12);
  ASSERT_EQ(converted_twice.lines.size(), 12U);
  EXPECT_EQ(converted_twice.lines[7].plus, 7);
  EXPECT_EQ(converted_twice.lines[7].minus, -1);
  EXPECT_DOUBLE_EQ(converted_twice.lines[7].factor, -converted_twice.lines[6].factor);

  const auto unit = make_layout(make(Encoding::unit_column, 4, 2), 3, kMin, kMax);
  EXPECT_EQ(unit.physical_columns, 8);
  ASSERT_EQ(unit.lines.size(), 8U);
  EXPECT_EQ(unit.lines[7].plus, 7);
  EXPECT_EQ(unit.lines[7].output, -1);
  EXPECT_DOUBLE_EQ(unit.lines[6].factor, -unit.lines[0].factor);
  EXPECT_DOUBLE_EQ(unit.lines[7].factor, -unit.lines[1].factor);
  EXPECT_EQ(unit.input_sum_factor, 0);
}

TEST(Encoding, CountsOfColumnsAndLinesAgreeWithTheLayout) {
  for (const Encoding encoding : {Encoding::differential, Encoding::offset, Encoding::unit_column}) {
    for (const Subtraction subtract : {Subtraction::analog, Subtraction::digital}) {
      const auto config = make(encoding, 4, 3, subtract);
      const auto layout = make_layout(config, 5, kMin, kMax);
      EXPECT_EQ(layout.physical_columns, 5 * columns_per_output(config) + reference_columns(config));
      EXPECT_EQ(static_cast<int>(layout.lines.size()), 5 * lines_per_output(config) + reference_columns(config));
    }
  }
}

TEST(Encoding, AnalogPairPutsTheMagnitudeOnOneSide) {
  const auto config = make(Encoding::differential, 0, 1, Subtraction::analog);
  const auto layout = make_layout(config, 1, kMin, kMax);
  EXPECT_DOUBLE_EQ(layout.lines[0].factor, 1 / (kMax - kMin).si());
  const auto g_S = encode_all(config, layout, {2.0F, -1.0F, 0.0F, -3.0F}, 4, {2.0});
  const auto g = [](double share) { return static_cast<float>(kMin.si() + share * (kMax - kMin).si()); };
  const auto top = static_cast<float>(kMax.si());
  EXPECT_EQ(g_S,
            (std::vector<float>{top, g(0), g(0), g(0.5), g(0), g(0), g(0), top}));  // -3 is beyond the scale: saturates
}

TEST(Encoding, AnalogSingleColumnsPutZeroInTheMiddle) {
  for (const Encoding encoding : {Encoding::offset, Encoding::unit_column}) {
    const auto config = make(encoding, 0, 1);
    const auto layout = make_layout(config, 1, kMin, kMax);
    const auto g_S = encode_all(config, layout, {1.0F, -1.0F, 0.0F}, 3, {1.0});
    const std::size_t stride = static_cast<std::size_t>(layout.physical_columns);
    EXPECT_FLOAT_EQ(g_S[0], 25e-6F);
    EXPECT_FLOAT_EQ(g_S[stride], 1e-6F);
    EXPECT_FLOAT_EQ(g_S[2 * stride], 13e-6F);
    if (encoding == Encoding::unit_column) {
      EXPECT_FLOAT_EQ(g_S[1], 13e-6F);
    }
  }
}

TEST(Encoding, DigitsStandMostSignificantFirst) {
  // 27 = 1 2 3 in base 4.
  const auto config = make(Encoding::differential, 4, 3);
  ASSERT_EQ(largest_magnitude(config), 63);
  const auto layout = make_layout(config, 1, kMin, kMax);
  const auto g_S = encode_all(config, layout, {27.0F, -27.0F}, 2, {63.0});
  const auto g = [](int digit) { return static_cast<float>(kMin.si() + digit * (kMax - kMin).si() / 3); };
  EXPECT_EQ(g_S, (std::vector<float>{g(1), g(0), g(2), g(0), g(3), g(0),  //
                                     g(0), g(1), g(0), g(2), g(0), g(3)}));
}

TEST(Encoding, OffsetCodeOfZeroIsHalfTheCodes) {
  // L^S = 16: codes 0 .. 15, zero is 8 = 2 0 in base 4, weights -7 .. 7.
  const auto config = make(Encoding::unit_column, 4, 2);
  ASSERT_EQ(largest_magnitude(config), 7);
  const auto layout = make_layout(config, 2, kMin, kMax);
  const auto g_S = encode_all(config, layout, {7.0F, -7.0F}, 1, {7.0, 7.0});
  const auto g = [](int digit) { return static_cast<float>(kMin.si() + digit * (kMax - kMin).si() / 3); };
  EXPECT_EQ(g_S, (std::vector<float>{g(3), g(3), g(0), g(1), g(2), g(0)}));
}

TEST(Encoding, LargestMagnitudeIsSymmetric) {
  EXPECT_EQ(largest_magnitude(make(Encoding::differential, 16, 2)), 255);
  EXPECT_EQ(largest_magnitude(make(Encoding::offset, 16, 2)), 127);
  EXPECT_EQ(largest_magnitude(make(Encoding::offset, 3, 2)), 4);
  EXPECT_EQ(largest_magnitude(make(Encoding::differential, 2, 1)), 1);
  EXPECT_EQ(largest_magnitude(make(Encoding::differential, 0, 1)), 0);
  EXPECT_THROW(largest_magnitude(make(Encoding::offset, 2, 1)), std::logic_error);
  EXPECT_THROW(largest_magnitude(make(Encoding::offset, 0, 2)), std::logic_error);
}

TEST(Encoding, ScalesArePerLayerOrPerColumnAndNeverZero) {
  EncodingConfig config;
  const std::vector<float> weights{1, -4, 0, 0, 0.5F, 0.25F};
  config.scale = ScaleScope::per_column;
  EXPECT_EQ(weight_scales(config, weights, 3), (std::vector<double>{4, 1, 0.5}));
  config.scale = ScaleScope::per_layer;
  EXPECT_EQ(weight_scales(config, weights, 3), (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(weight_scales(config, std::vector<float>{0, 0}, 2), (std::vector<double>{1, 1}));
  EXPECT_TRUE(weight_scales(config, {}, 0).empty());
}

class EveryEncoding : public testing::TestWithParam<std::tuple<Encoding, Subtraction, int, int>> {
 protected:
  EncodingConfig config() const {
    const auto [encoding, subtract, levels, slices] = GetParam();
    return make(encoding, levels, slices, subtract);
  }
  /// Largest error of a decoded weight, in steps of the grid, that rounding conductances to float may cause: half an
  /// ulp (2^-24 g_max at most) for each cell of a line, times the line's steps per siemens; twice for pairs and
  /// references.
  double rounding_steps(double g_max_S, double span_S) const {
    const auto c = config();
    const double steps_per_S = (c.cell_levels - 1) / span_S;
    const double place_values = (std::pow(c.cell_levels, c.slices) - 1) / (c.cell_levels - 1);
    return 2 * std::ldexp(g_max_S, -24) * steps_per_S * place_values *
           1.0001;  // 1.0001: the double arithmetic around it
  }
};

/// N outputs of K weights, uniform on the grid; scales are Q, so that the weights are the integers themselves.
struct IntegerMatrix {
  std::int64_t outputs, rows;
  std::vector<float> weights;
  std::vector<double> scales;
};
IntegerMatrix integer_matrix(const EncodingConfig& config, std::int64_t outputs, std::int64_t rows,
                             std::mt19937& random) {
  const auto limit = largest_magnitude(config);
  std::uniform_int_distribution<std::int64_t> integers(-limit, limit);
  IntegerMatrix matrix{outputs, rows, std::vector<float>(static_cast<std::size_t>(outputs * rows)),
                       std::vector<double>(static_cast<std::size_t>(outputs), static_cast<double>(limit))};
  for (float& w : matrix.weights) w = static_cast<float>(integers(random));
  matrix.weights[0] = static_cast<float>(limit);
  matrix.weights[1] = static_cast<float>(-limit);
  return matrix;
}

TEST_P(EveryEncoding, DecodesTheIntegersThatWereEncoded) {
  std::mt19937 random(1);
  const auto matrix = integer_matrix(config(), 7, 19, random);
  const auto layout = make_layout(config(), 7, kMin, kMax);
  const auto g_S = encode_all(config(), layout, matrix.weights, matrix.rows, matrix.scales);
  for (const float g : g_S) {
    EXPECT_GE(g, static_cast<float>(kMin.si()));
    EXPECT_LE(g, static_cast<float>(kMax.si()));
  }
  const auto decoded = decode(layout, g_S, matrix.rows, matrix.scales);
  const double bound = rounding_steps(kMax.si(), (kMax - kMin).si());
  ASSERT_LT(bound, 0.25);
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    EXPECT_NEAR(decoded[i], static_cast<double>(matrix.weights[i]), bound);
    EXPECT_EQ(std::nearbyint(decoded[i]), static_cast<double>(matrix.weights[i]));
  }
}

/// y_n = sum over lines of factor * sum_i x_i (G+ - G-), plus input_sum_factor sum_i x_i: what a chip with ideal
/// converters adds up.
std::vector<double> product_through_cells(const Layout& layout, const std::vector<float>& g_S,
                                          const std::vector<int>& x, const std::vector<double>& scales) {
  std::vector<double> column_A(static_cast<std::size_t>(layout.physical_columns), 0.0);
  double input_sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    input_sum += x[i];
    for (std::size_t j = 0; j < column_A.size(); ++j) {
      column_A[j] += x[i] * static_cast<double>(g_S[i * column_A.size() + j]);
    }
  }
  std::vector<double> y(static_cast<std::size_t>(layout.outputs), layout.input_sum_factor * input_sum);
  for (const Line& line : layout.lines) {
    double value = column_A.at(static_cast<std::size_t>(line.plus));
    if (line.minus >= 0) value -= column_A.at(static_cast<std::size_t>(line.minus));
    for (std::size_t n = 0; n < y.size(); ++n) {
      if (line.output < 0 || line.output == static_cast<int>(n)) y[n] += line.factor * value;
    }
  }
  for (std::size_t n = 0; n < y.size(); ++n) y[n] *= scales[n];
  return y;
}

TEST_P(EveryEncoding, ProductOfIntegersIsTheIntegerProduct) {
  // Levels that a float holds exactly: what is left is the arithmetic of digits, references and offsets, in double.
  const int levels = config().cell_levels;
  const auto g_min = Conductance::si(std::ldexp(1.0, -20)), g_max = Conductance::si(std::ldexp(levels, -20));
  std::mt19937 random(2);
  std::uniform_int_distribution<int> inputs(-255, 255);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const std::int64_t rows = 1 + repeat * 40;
    const auto matrix = integer_matrix(config(), 6, rows, random);
    std::vector<int> x(static_cast<std::size_t>(rows));
    for (int& value : x) value = inputs(random);
    const auto layout = make_layout(config(), 6, g_min, g_max);
    const auto g_S = encode(config(), layout, matrix.weights, rows, matrix.scales, g_min, g_max);
    const auto y = product_through_cells(layout, g_S, x, matrix.scales);
    for (std::size_t n = 0; n < y.size(); ++n) {
      std::int64_t expected = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        expected += static_cast<std::int64_t>(matrix.weights[n * x.size() + i]) * x[i];
      }
      EXPECT_EQ(std::llround(y[n]), expected);
      EXPECT_NEAR(y[n], static_cast<double>(expected), 1e-4);  // of a step; sums of up to 1e10 steps in double
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Small, EveryEncoding,
                         Combine(Values(Encoding::differential, Encoding::offset, Encoding::unit_column),
                                 Values(Subtraction::analog, Subtraction::digital), Values(3, 4, 5, 16),
                                 Values(1, 2, 3, 4)));
INSTANTIATE_TEST_SUITE_P(Binary, EveryEncoding,
                         Combine(Values(Encoding::differential, Encoding::offset, Encoding::unit_column),
                                 Values(Subtraction::digital), Values(2), Values(2, 8, 16)));
INSTANTIATE_TEST_SUITE_P(BinaryPair, EveryEncoding,
                         Combine(Values(Encoding::differential), Values(Subtraction::analog), Values(2), Values(1)));

TEST(Encoding, AnalogWeightsComeBackToRounding) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> weights(12 * 31);
  for (float& w : weights) w = normal(random);
  for (const Encoding encoding : {Encoding::differential, Encoding::offset, Encoding::unit_column}) {
    const auto config = make(encoding, 0, 1, Subtraction::analog);
    const auto layout = make_layout(config, 12, kMin, kMax);
    const auto scales = weight_scales(config, weights, 12);
    const auto decoded = decode(layout, encode_all(config, layout, weights, 31, scales), 31, scales);
    // Half an ulp of a float per cell, two cells, in weights per siemens (factor 2 / span where zero is in the middle).
    const double bound = 4 * std::ldexp(kMax.si(), -24) / (kMax - kMin).si() * 1.0001;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_NEAR(decoded[i], static_cast<double>(weights[i]), bound * scales[i / 31]);
    }
  }
}

TEST(Encoding, RealWeightsRoundToTheNearestStep) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> weights(200);
  for (float& w : weights) w = uniform(random);
  for (const Encoding encoding : {Encoding::differential, Encoding::offset, Encoding::unit_column}) {
    const auto config = make(encoding, 4, 2);
    const auto layout = make_layout(config, 1, kMin, kMax);
    const auto decoded = decode(layout, encode_all(config, layout, weights, 200, {1.0}), 200, std::vector<double>{1.0});
    const double step = 1.0 / static_cast<double>(largest_magnitude(config));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_LE(std::abs(decoded[i] - static_cast<double>(weights[i])), 0.5 * step + 1e-5);
    }
  }
}

}  // namespace
}  // namespace tellegen::mapping
