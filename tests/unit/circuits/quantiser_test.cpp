#include "tellegen/circuits/converter/quantiser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "tellegen/circuits/converter/converter_kernels.h"
#include "vectors.h"

namespace tellegen::circuits {
namespace {

using testing::StrEq;
using testing::ThrowsMessage;
using testing_support::converter_vectors;

constexpr QuantiserKind all_kinds[] = {QuantiserKind::endpoint, QuantiserKind::mid_rise, QuantiserKind::sign_magnitude};

std::string name_of(QuantiserKind kind) { return ScalarText<QuantiserKind>::write(kind); }

TEST(Quantiser, CodesAndValuesOfTheReferenceVectors) {
  const auto vectors = converter_vectors()["quantisers"];
  for (const QuantiserKind kind : all_kinds) {
    const Quantiser q{kind, {vectors["bits"]}, vectors["low"], vectors["high"]};
    for (const auto& row : vectors["rows"]) {
      const double x = row["x"];
      const auto& expected = row[name_of(kind)];
      EXPECT_EQ(q.code(x), expected["code"].get<std::int64_t>()) << name_of(kind) << ' ' << x;
      EXPECT_NEAR(q.quantise(x), expected["value"].get<double>(), 1e-14) << name_of(kind) << ' ' << x;
    }
  }
}

template <class T>
void expect_arrays_follow_the_scalar(const Quantiser& q) {
  std::vector<T> values;
  for (int i = -1500; i <= 1500; ++i) values.push_back(static_cast<T>(i) / T(1024));  // ties of the range among them
  std::vector<T> quantised = values;
  const std::int64_t clipped = quantise<T>(q, quantised);
  std::int64_t outside = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    outside += values[i] < T(-1) || values[i] > T(1) ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(quantised[i]), q.quantise(static_cast<double>(values[i])),
                2 * std::numeric_limits<T>::epsilon());
  }
  EXPECT_EQ(clipped, outside);
}

TEST(Quantiser, ArraysFollowTheScalar) {
  for (const QuantiserKind kind : all_kinds) {
    for (const int bits : {2, 3, 4, 8}) {
      expect_arrays_follow_the_scalar<float>({kind, {bits}, -1, 1});
      expect_arrays_follow_the_scalar<double>({kind, {bits}, -1, 1});
    }
  }
}

/// A ramp well beyond both ends must meet every code and no other value.
TEST(Quantiser, AnNBitConverterYieldsItsLevelsAndNoMore) {
  for (const QuantiserKind kind : all_kinds) {
    for (const int bits : {1, 2, 5, 8, 12}) {
      if (kind == QuantiserKind::sign_magnitude && bits == 1) continue;
      const Quantiser q{kind, {bits}, -0.3e-6, 0.3e-6};
      std::vector<float> ramp(100000);
      for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = 1e-11F * (static_cast<float>(i) - 50000);
      quantise<float>(q, ramp);
      const std::set<float> levels(ramp.begin(), ramp.end());
      EXPECT_EQ(static_cast<std::int64_t>(levels.size()), q.levels()) << name_of(kind) << ' ' << bits;
      EXPECT_LE(levels.size(), std::size_t{1} << bits);
    }
  }
}

TEST(Quantiser, SixteenBitsKeepEveryCodeInFloat) {
  const Quantiser q{QuantiserKind::sign_magnitude, {16}, -1, 1};
  std::vector<float> values;
  for (std::int64_t code = -32767; code <= 32767; ++code) values.push_back(static_cast<float>(q.value(code)));
  EXPECT_EQ(quantise<float>(q, values), 0);
  const std::vector<float> once = values;
  for (std::int64_t code = -32767; code <= 32767; ++code) {
    ASSERT_EQ(q.code(static_cast<double>(values[static_cast<std::size_t>(code + 32767)])), code);
  }
  quantise<float>(q, values);
  EXPECT_EQ(values, once);
}

TEST(Quantiser, IdealChangesNothing) {
  std::vector<float> values = {-7.0F, 0.123F, 1e9F};
  const std::vector<float> before = values;
  EXPECT_EQ(quantise<float>({QuantiserKind::mid_rise, {0}, -1, 1}, values), 0);
  EXPECT_EQ(values, before);
}

TEST(Quantiser, NotANumberIsClippedToTheUpperEnd) {
  const Quantiser q{QuantiserKind::endpoint, {3}, -1, 1};
  std::vector<float> values(40, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(quantise<float>(q, values), 40);
  EXPECT_EQ(values, std::vector<float>(40, 1.0F));
  EXPECT_EQ(q.code(std::numeric_limits<double>::quiet_NaN()), 7);
}

/// Signal to quantisation noise of a standard normal at the optimal clip, by the midpoint rule over +-9 sigma.
TEST(Quantiser, SignalToNoiseOfAGaussianAtTheOptimalClip) {
  for (const auto& row : converter_vectors()["gaussian_clipping"]) {
    const double clip = row["clip_sigma"];
    const Quantiser q{QuantiserKind::mid_rise, {row["bits"]}, -clip, clip};
    constexpr int points = 200000;
    constexpr double width = 18.0 / points;
    double error = 0;
    for (int i = 0; i < points; ++i) {
      const double x = -9 + (i + 0.5) * width;
      const double difference = q.quantise(x) - x;
      error += difference * difference * std::exp(-x * x / 2) * width;
    }
    error /= std::sqrt(2 * std::numbers::pi);
    EXPECT_NEAR(-10 * std::log10(error), row["sqnr_dB"].get<double>(), 1e-3) << row["bits"];
  }
}

TEST(Resolution, TextIsReadAndWritten) {
  EXPECT_TRUE(ScalarText<Resolution>::parse("ideal").ideal());
  EXPECT_EQ(ScalarText<Resolution>::parse("16").bits, 16);
  EXPECT_EQ(ScalarText<Resolution>::write({0}), "ideal");
  EXPECT_EQ(ScalarText<Resolution>::write({5}), "5");
  for (const char* text : {"0", "17", "-1", "8.0", "perfect", ""}) {
    EXPECT_THAT([&] { ScalarText<Resolution>::parse(text); },
                ThrowsMessage<InputError>(
                    StrEq("is not a resolution; allowed: a whole number of bits from 1 to 16, or ideal.")));
  }
}

template <class T>
void expect_same_bits_from_every_unit() {
  std::vector<T> values(10007);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(std::sin(0.1 * static_cast<double>(i)) * 1.3);
  std::vector<float> normals(values.begin(), values.end());
  const kernels::Grid<T> grid{T(-1), T(1), T(-1), T(127.5), T(1 / 127.5), T(-1), T(255)};
  const auto count = static_cast<std::int64_t>(values.size());
  std::vector<std::vector<T>> results;
  for (const VectorUnit unit : vector_units) {
    if (!is_supported(unit)) continue;
    std::vector<T> levels = values, cells = values, drive = values, noisy = values, squares = values, scaled = values;
    kernels::to_levels(unit, grid, levels.data(), count);
    kernels::to_cells(unit, grid, cells.data(), count);
    for (T& code : cells) code *= T(100);
    kernels::digits(unit, cells.data(), count, 2, 3, drive.data());
    kernels::square(unit, values.data(), count, squares.data());
    kernels::add_noise(unit, values.data(), squares.data(), normals.data(), count, noisy.data());
    kernels::add_scaled(unit, T(0.3), normals.data(), count, scaled.data());
    kernels::divide(unit, T(0.7), count, scaled.data());
    std::vector<T> all;
    for (const auto* part : {&levels, &cells, &drive, &squares, &noisy, &scaled})
      all.insert(all.end(), part->begin(), part->end());
    results.push_back(all);
  }
  for (const auto& result : results)
    EXPECT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(T)), 0);
}

TEST(ConverterKernels, EveryVectorUnitGivesTheSameBits) {
  expect_same_bits_from_every_unit<float>();
  expect_same_bits_from_every_unit<double>();
}

}  // namespace
}  // namespace tellegen::circuits
