// DACs of rows that differ: statistics against theory, exactness where they do not, addresses of their draws.

#include "tellegen/circuits/converter/row_dacs.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/converter/linearity.h"

namespace tellegen::circuits {
namespace {

using testing::StrEq;
using testing::ThrowsMessage;

const Stream mismatch(13, Purpose::mismatch, {});

Dac dac_of(const std::string& text, bool is_signed = false) {
  Dac dac;
  read_config_text(text, "chip.yaml", dac.config);
  dac.is_signed = is_signed;
  return dac;
}

struct Moments {
  double mean = 0, deviation = 0;
};
/// Over many rows, of their drives by u.
Moments moments(const RowDacs& dacs, double u) {
  double sum = 0, squares = 0;
  for (std::int64_t row = 0; row < dacs.rows(); ++row) {
    sum += dacs.at(row, u);
    squares += dacs.at(row, u) * dacs.at(row, u);
  }
  const double n = static_cast<double>(dacs.rows()), mean = sum / n;
  return {mean, std::sqrt(squares / n - mean * mean)};
}

constexpr std::int64_t kRows = 4000;
const double kFourErrors = 4 / std::sqrt(2.0 * static_cast<double>(kRows));

/// Code k of N = 2^bits takes k of N units, so that it deviates by sigma sqrt(k (N - k) / N) units; a drive of 1 is N - 1.
TEST(RowDacs, CapacitiveIntegralNonlinearityEqualsTheory) {
  const RowDacs dacs(dac_of("kind: capacitive\nbits: 8\nmismatch: {element: 0.02}\n"), kRows, mismatch);
  for (const int code : {16, 64, 128, 200}) {
    const Moments found = moments(dacs, code / 255.0);
    const double expected = 0.02 * std::sqrt(code * (256.0 - code) / 256) / 255;
    EXPECT_NEAR(found.deviation / expected, 1, kFourErrors + 0.005) << code;
    EXPECT_NEAR(found.mean, code / 255.0, 5 * expected / std::sqrt(kRows) + 1e-5) << code;
  }
}

/// To first order of the mismatch, from the exact ladder with one element off at a time.
TEST(RowDacs, LaddersDeviateAsTheirElementsPropagate) {
  for (const std::string kind : {"r2r", "c2c"}) {
    constexpr double sigma = 0.005;
    const RowDacs dacs(dac_of("kind: " + kind + "\nbits: 6\nmismatch: {element: 0.005}\n"), kRows, mismatch);
    double squares = 0;
    for (std::uint64_t t = 0; t < 4000; ++t) {  // other draws of the same ladder
      const Stream other(99, Purpose::test, {});
      const std::vector<double> weights = dac_bit_weights(kind, 6, sigma, 0, other, 64 * t);
      squares += std::pow(weights[5] - 32.0 / 63, 2);
    }
    EXPECT_NEAR(moments(dacs, 32.0 / 63).deviation / std::sqrt(squares / 4000), 1, 1.5 * kFourErrors) << kind;
  }
}

TEST(RowDacs, GainOffsetAndEdgesHaveTheDeviationAskedFor) {
  const RowDacs gains(dac_of("bits: 8\nmismatch: {gain: 0.03}\n"), kRows, mismatch);
  EXPECT_NEAR(moments(gains, 100 / 255.0).deviation / (0.03 * 100 / 255), 1, kFourErrors);
  EXPECT_EQ(moments(gains, 0).deviation, 0);
  const RowDacs offsets(dac_of("bits: 8\nmismatch: {offset: 0.01}\n"), kRows, mismatch);
  EXPECT_NEAR(moments(offsets, 0).deviation / 0.01, 1, kFourErrors);
  EXPECT_NEAR(moments(offsets, 1).deviation / 0.01, 1, kFourErrors);
  // 15 steps of 1 ns are a full pulse; a pulse of 0 has no edges.
  const RowDacs edges(dac_of("kind: pwm\nbits: 4\npwm_step: 1 ns\nmismatch: {edge: 0.3 ns}\n"), kRows, mismatch);
  EXPECT_NEAR(moments(edges, 7 / 15.0).deviation / (0.3 / 15), 1, kFourErrors);
  EXPECT_EQ(moments(edges, 0).deviation, 0);
}

/// Variances add up: code 1 of four units deviates by sigma sqrt(3 / 4) / 3, and by sigma / 3 of its gain.
TEST(RowDacs, ElementsAndGainAreDrawnApart) {
  const RowDacs dacs(dac_of("kind: capacitive\nbits: 2\nmismatch: {element: 0.02, gain: 0.02}\n"), kRows, mismatch);
  EXPECT_NEAR(moments(dacs, 1 / 3.0).deviation / (0.02 * std::sqrt(1.75) / 3), 1, kFourErrors + 0.005);
}

TEST(RowDacs, WithoutMismatchAreTheirCommonCurve) {
  for (const char* text : {"kind: c2c\nbits: 6\nnonlinearity: {parasitic: 0.2, second: 0.1, gain: 0.05}\n",
                           "kind: pwm\nbits: 6\nnonlinearity: {edge_loss: 1 ns}\n", "kind: capacitive\nbits: 12\n"}) {
    const Dac dac = dac_of(text, true);
    std::vector<double> codes, expected;
    for (int code = -31; code <= 31; ++code) codes.push_back(code);
    expected.resize(codes.size());
    slice_drive<double>(dac, codes, 0, expected);
    Dac straight = dac;
    straight.config.nonlinearity = {};
    std::vector<double> drives(codes.size());
    slice_drive<double>(straight, codes, 0, drives);
    const RowDacs dacs(dac, static_cast<std::int64_t>(codes.size()), mismatch);
    dacs.drive(drives.data(), drives.data());
    for (std::size_t i = 0; i < codes.size(); ++i) EXPECT_NEAR(drives[i], expected[i], 1e-7) << text << codes[i];
  }
}

TEST(RowDacs, ARowIsTheSameInAnArrayOfAnyHeight) {
  const Dac dac = dac_of("bits: 8\nmismatch: {element: 0.05, gain: 0.02, offset: 0.01}\n");
  const RowDacs small(dac, 3, mismatch), large(dac, 40, mismatch);
  for (std::int64_t row = 0; row < 3; ++row) EXPECT_EQ(small.at(row, 77 / 255.0), large.at(row, 77 / 255.0));
  EXPECT_NE(large.at(0, 77 / 255.0), large.at(1, 77 / 255.0));
}

/// Tables of few bits and sums of many are one and the same.
TEST(RowDacs, ManyBitsFollowTheSameTheory) {
  const RowDacs dacs(dac_of("bits: 12\nmismatch: {element: 0.02}\n"), kRows, mismatch);
  EXPECT_NEAR(moments(dacs, 2048 / 4095.0).deviation / (0.02 * std::sqrt(1024.0) / 4095), 1, kFourErrors + 0.005);
}

TEST(RowDacs, WhatAKindDoesNotHaveIsRefused) {
  EXPECT_THAT([] { dac_of("kind: pwm\nmismatch: {element: 0.1}\n"); },
              ThrowsMessage<ConfigError>(StrEq("chip.yaml:2:21: mismatch.element is of kinds capacitive, c2c and r2r; "
                                               "kind 'pwm' has no units to match.")));
  EXPECT_THAT([] { dac_of("kind: r2r\nmismatch: {edge: 1 ns}\n"); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:2:18: mismatch.edge is of kind pwm; kind 'r2r' has no pulse widths.")));
  EXPECT_THAT([] { dac_of("bits: ideal\nmismatch: {element: 0.1}\n"); },
              ThrowsMessage<ConfigError>(StrEq(
                  "chip.yaml:1:7: bits = 'ideal' has no units to match; give 1 to 16 bits, or no mismatch.element.")));
}

}  // namespace
}  // namespace tellegen::circuits
