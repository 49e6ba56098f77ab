// The converters of an array: sharing, calibration, addresses of their draws.

#include "tellegen/circuits/converter/adc_bank.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "tellegen/circuits/converter/adc.h"

namespace tellegen::circuits {
namespace {

using testing::StrEq;
using testing::ThrowsMessage;

const Stream mismatch(3, Purpose::mismatch, {1, 2, kConverterPart});
const Stream noise(3, Purpose::converter_noise, {1, 2, 0});

AdcConfig config_of(const char* text) {
  AdcConfig config;
  read_config_text(text, "chip.yaml", config);
  return config;
}

std::vector<double> converted(const Adc& adc, double x) {
  std::vector<double> values(static_cast<std::size_t>(adc.lines), x);
  ArrayScratch<double> scratch;
  convert<double>(adc, values, noise, 0, scratch);
  return values;
}

double rms_error(const Adc& adc, double share) {
  ArrayScratch<double> scratch;
  std::vector<double> inputs;
  for (int i = -2000; i <= 2000; ++i) inputs.push_back(share * i / 2000.0);
  std::vector<double> values = inputs;
  Adc one = adc;
  one.lines = 1;
  convert<double>(one, values, noise, 0, scratch);
  double squares = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) squares += (values[i] - inputs[i]) * (values[i] - inputs[i]);
  return std::sqrt(squares / static_cast<double>(inputs.size()));
}

TEST(AdcBank, LinesThatShareAConverterShareItsErrors) {
  const AdcConfig config = config_of("bits: 8\ncolumns_per_adc: 4\nerrors: {offset: 20}\n");
  const Adc adc = make_adc(config, 1.0, true, mismatch, 10);
  EXPECT_EQ(adc.bank->converters(), 3);
  const std::vector<double> values = converted(adc, 0.1);
  EXPECT_EQ(values[0], values[3]);
  EXPECT_EQ(values[4], values[7]);
  EXPECT_EQ(values[8], values[9]);
  EXPECT_NE(values[0], values[4]);
  EXPECT_NE(values[4], values[8]);
}

TEST(AdcBank, AConverterIsTheSameInABankOfAnySize) {
  for (const char* kind : {"sar", "flash", "ramp", "pipeline", "cyclic", "cco", "time_based"}) {
    AdcConfig config = config_of("bits: 6\ncolumns_per_adc: 1\nerrors: {mismatch: 0.1, offset: 0.7, gain: 0.1}\n");
    config.kind = kind;
    const std::vector<double> small = converted(make_adc(config, 1.0, true, mismatch, 2), 0.3);
    const std::vector<double> large = converted(make_adc(config, 1.0, true, mismatch, 9), 0.3);
    EXPECT_EQ(small[0], large[0]) << kind;
    EXPECT_EQ(small[1], large[1]) << kind;
  }
}

TEST(AdcBank, WithoutErrorsThereIsNoBank) {
  EXPECT_EQ(make_adc(config_of("bits: 8\n"), 1.0, true, mismatch, 10).bank, nullptr);
}

// Deviations of many converters are those asked for: 3 steps of offset, 5 % of gain.
TEST(AdcBank, OffsetAndGainHaveTheDeviationAskedFor) {
  constexpr int converters = 4000;
  const auto spread = [&](const char* text, double x) {
    const Adc adc = make_adc(config_of(text), 2047.0, true, mismatch, converters);
    double sum = 0, squares = 0;
    for (const double value : converted(adc, x)) {
      sum += value - x;
      squares += (value - x) * (value - x);
    }
    EXPECT_NEAR(sum / converters, 0, 4 * std::sqrt(squares) / converters + 0.5);
    return std::sqrt(squares / converters);
  };
  const double errors = 4 / std::sqrt(2.0 * converters);
  EXPECT_NEAR(spread("bits: 12\ncolumns_per_adc: 1\nerrors: {offset: 30}\n", 500) / 30, 1, errors);
  EXPECT_NEAR(spread("bits: 12\ncolumns_per_adc: 1\nerrors: {gain: 0.05}\n", 500) / 25, 1, errors);
}

TEST(AdcBank, CalibrationTakesOffWhatItMeasures) {
  const std::string errors = "bits: 8\nerrors: {offset: 10, gain: 0.1}\n";
  const double step = 1.0 / 127, ideal = step / std::sqrt(12.0);
  for (std::uint32_t chip = 0; chip < 10; ++chip) {
    const Stream own(chip, Purpose::mismatch, {});
    const auto rms = [&](const std::string& text) {
      return rms_error(make_adc(config_of(text.c_str()), 1.0, true, own, 1), 0.7);
    };
    const double none = rms(errors), offset = rms(errors + "calibration: offset\n"),
                 both = rms(errors + "calibration: offset_gain\n"), table = rms(errors + "calibration: table\n");
    EXPECT_LE(offset, none * 1.001);
    EXPECT_LT(both, 1.2 * ideal);
    EXPECT_LT(table, 1.2 * ideal);
  }
}

// The slope is found to less than a step at the ends of what was looked at: rms errors above would hide two parts in a hundred.
TEST(AdcBank, CalibrationFindsTheSlope) {
  for (std::uint32_t chip = 0; chip < 10; ++chip) {
    const Stream own(chip, Purpose::mismatch, {});
    const Adc adc =
        make_adc(config_of("bits: 12\nerrors: {gain: 0.1}\ncalibration: offset_gain\n"), 2047.0, true, own, 1);
    for (const double x : {-1200.0, 0.0, 1200.0}) EXPECT_NEAR(converted(adc, x)[0], x, 1) << chip;
  }
}

// A bow is no straight line: only the table takes it off.
TEST(AdcBank, OnlyATableTakesOffABow) {
  const std::string errors = "bits: 10\nquantiser: endpoint\nerrors: {curvature: 0.1}\n";
  const auto rms = [&](const char* calibration) {
    return rms_error(make_adc(config_of((errors + calibration).c_str()), 1.0, true, mismatch, 1), 0.99);
  };
  const double ideal = 2.0 / 1023 / std::sqrt(12.0);
  EXPECT_GT(rms("calibration: offset_gain\n"), 5 * ideal);
  EXPECT_LT(rms("calibration: table\n"), 1.2 * ideal);
  EXPECT_LT(rms("calibration: offset_gain\n"), rms("calibration: none\n"));
}

TEST(AdcBank, TheRangeIsSymmetricWithSignAndMagnitude) {
  const AdcConfig config = config_of("bits: 8\nerrors: {mismatch: 0.05, curvature: 0.1}\n");
  const Adc adc = make_adc(config, 1.0, true, mismatch, 1);
  for (double x = 0; x < 1.2; x += 0.0131) EXPECT_EQ(converted(adc, x)[0], -converted(adc, -x)[0]) << x;
}

TEST(AdcBank, NoiseBelongsToTheElementNotToTheCall) {
  for (const char* kind : {"sar", "flash", "cco"}) {
    AdcConfig config = config_of("bits: 6\nerrors: {noise: 0.8}\n");
    config.kind = kind;
    const Adc adc = make_adc(config, 1.0, true, mismatch, 12);
    ArrayScratch<float> scratch;
    std::vector<float> whole(3000, 0.25F), pieces(3000, 0.25F);
    convert<float>(adc, whole, noise, 24, scratch);
    for (std::size_t at = 0; at < pieces.size(); at += 331) {
      const std::size_t part = std::min<std::size_t>(331, pieces.size() - at);
      convert<float>(adc, std::span(pieces).subspan(at, part), noise, 24 + at, scratch);
    }
    EXPECT_EQ(whole, pieces) << kind;
    EXPECT_GT(std::set<float>(whole.begin(), whole.end()).size(), 2U) << kind;
  }
}

TEST(AdcBank, NotANumberTakesTheUpperEndAndCountsAsClipped) {
  const Adc adc = make_adc(config_of("bits: 8\nerrors: {mismatch: 0.001}\n"), 1.0, true, mismatch, 4);
  std::vector<double> values = {std::nan(""), 1e300, -1e300, 0.5};
  ArrayScratch<double> scratch;
  EXPECT_EQ(convert<double>(adc, values, noise, 0, scratch).clipped, 3);
  EXPECT_EQ(values[0], 1.0);
  EXPECT_EQ(values[1], 1.0);
  EXPECT_EQ(values[2], -1.0);
}

TEST(AdcErrors, WhatAKindDoesNotHaveIsRefused) {
  EXPECT_THAT([] { config_of("kind: sar\nerrors: {amplifier_gain: 100}\n"); },
              ThrowsMessage<ConfigError>(StrEq(
                  "chip.yaml:2:26: errors.amplifier_gain is of kinds pipeline and cyclic; kind 'sar' has no amplifier "
                  "between stages.")));
  EXPECT_THAT([] { config_of("kind: flash\nerrors: {delay: 1}\n"); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:2:17: errors.delay is of kind ramp; kind 'flash' decides on command.")));
  EXPECT_THAT([] { config_of("bits: ideal\nerrors: {noise: 1}\n"); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:1:7: bits = 'ideal' has no errors; give 1 to 16 bits, or no errors.")));
  EXPECT_THAT([] { config_of("kind: sense_amplifier\nbits: 2\n"); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:2:7: bits must be 1 for kind 'sense_amplifier': it is one comparator.")));
  EXPECT_THAT([] { config_of("bits: 14\nerrors: {gain: 0.1}\ncalibration: table\n"); },
              ThrowsMessage<ConfigError>(StrEq(
                  "chip.yaml:3:14: calibration = 'table' holds a value for each code; it is for up to 12 bits.")));
}

}  // namespace
}  // namespace tellegen::circuits
