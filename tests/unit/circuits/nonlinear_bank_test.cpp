// Converters of an array that compute an activation: exact without errors, errors as asked for, calibration.

#include "tellegen/circuits/converter/nonlinear_bank.h"

#include <gmock/gmock.h>

#include <cmath>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/converter/adc.h"

namespace tellegen::circuits {
namespace {

const Stream mismatch(7, Purpose::mismatch, {1, 2, kConverterPart});
const Stream noise(7, Purpose::converter_noise, {1, 2, 0});

AdcConfig config_of(const std::string& text) {
  AdcConfig config;
  read_config_text(text, "chip.yaml", config);
  return config;
}

/// Converters of +-2 uA that take 1.5 per microampere: inputs of +-3.
Adc converters(const ScalarFunction& function, const std::string& adc, const NonlinearAdcConfig& how = {},
               int lines = 1) {
  const AdcConfig config = config_of(adc);
  return make_nonlinear_adc(config, how, function, make_adc(config, 2e-6, true), 1.5e6, mismatch, lines);
}

std::vector<double> converted(const Adc& adc, std::vector<double> currents) {
  ArrayScratch<double> scratch;
  convert<double>(adc, currents, noise, 0, scratch);
  return currents;
}

std::vector<double> ramp() {
  std::vector<double> currents;
  for (int i = -2000; i <= 2000; ++i) currents.push_back(i * 1e-9);
  return currents;
}

TEST(NonlinearBank, WithoutErrorsIsTheFunctionToHalfAStep) {
  const ScalarFunction silu = ActivationFunction::silu;
  const auto [least, greatest] = silu.range(-3, 3);
  for (const int bits : {4, 8, 12}) {
    const std::vector<double> currents = ramp();
    const std::vector<double> values = converted(converters(silu, "bits: " + std::to_string(bits)), currents);
    const double half = (greatest - least) / (std::ldexp(1.0, bits) - 1) / 2;
    for (std::size_t i = 0; i < currents.size(); ++i)
      ASSERT_NEAR(values[i], silu(1.5e6 * currents[i]), half * (1 + 1e-9)) << bits << " " << currents[i];
  }
}

TEST(NonlinearBank, AnIdealOneIsTheFunction) {
  const std::vector<double> values = converted(converters(ActivationFunction::tanh, "bits: ideal"), {-1e-6, 0, 9e-6});
  EXPECT_THAT(values, testing::Pointwise(testing::DoubleEq(), {std::tanh(-1.5), 0.0, std::tanh(13.5)}));
}

TEST(NonlinearBank, CountsConversionsAndWhatIsOutside) {
  std::vector<float> currents = {-3e-6F, -1e-6F, 2.1e-6F, std::nanf("")};
  ArrayScratch<float> scratch;
  const ConversionCounts counts =
      convert<float>(converters(ActivationFunction::tanh, "bits: 8"), currents, noise, 0, scratch);
  EXPECT_EQ(counts.conversions, 4);
  EXPECT_EQ(counts.clipped, 3);
  EXPECT_EQ(currents[0], static_cast<float>(std::tanh(-3.0)));  // the ends are held
  EXPECT_EQ(currents[2], static_cast<float>(std::tanh(3.0)));
}

TEST(NonlinearBank, ATableIsTheLinearConverterAndItsTable) {
  const NonlinearAdcConfig how{NonlinearMethod::table, 6, {}};
  const NonlinearAdc alone({ActivationFunction::gelu, NonlinearMethod::table, 8, 6, -3, 3});
  const std::vector<double> currents = ramp();
  const std::vector<double> values = converted(converters(ActivationFunction::gelu, "bits: 8", how), currents);
  for (std::size_t i = 0; i < currents.size(); ++i) ASSERT_EQ(values[i], alone.convert(1.5e6 * currents[i]));
  EXPECT_EQ(NonlinearAdcConfig{}.input_bits_for(8), 9);
  EXPECT_EQ(NonlinearAdcConfig{}.input_bits_for(16), 16);
}

double deviation(const std::vector<double>& values, double about) {
  double squares = 0;
  for (const double v : values) squares += (v - about) * (v - about);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

/// A function as straight as can be shows errors of the input: 5 steps of 6 / 4095 of offset, 2 % of gain.
TEST(NonlinearBank, OffsetGainAndNoiseHaveTheDeviationAskedFor) {
  const ScalarFunction straight([](double x) { return x; });
  constexpr int lines = 3000;
  const double errors = 4 / std::sqrt(2.0 * lines);
  const double step = 6.0 / 4095;
  const auto spread = [&](const std::string& text, double x) {
    return deviation(
        converted(converters(straight, "bits: 12\nerrors: " + text, {}, lines), std::vector<double>(lines, x / 1.5e6)),
        x);
  };
  EXPECT_NEAR(spread("{offset: 50}", 0.5) / (50 * step), 1, errors);
  EXPECT_NEAR(spread("{gain: 0.02}", 1.0) / (0.02 * 4), 1, errors);  // of the way from the lower end
  EXPECT_NEAR(spread("{noise: 20}", 1.0) / (20 * step), 1, errors);
}

/// The ramp starts at its first threshold and walks: at k steps of a linear one it deviates by mismatch sqrt(k) steps, here
/// with four thresholds to a step.
TEST(NonlinearBank, TheRampDeviatesAsARandomWalk) {
  const NonlinearAdc straight({ScalarFunction([](double x) { return x; }), NonlinearMethod::count, 8, 0, 0, 255});
  constexpr int trials = 3000;
  std::vector<double> middle, end;
  for (std::uint32_t t = 0; t < trials; ++t) {
    const NonlinearAdc off = straight.with_ramp_mismatch(0.05, 4, Stream(t, Purpose::mismatch, {}), 0);
    EXPECT_EQ(off.thresholds()[0], straight.thresholds()[0]);
    middle.push_back(off.thresholds()[64]);
    end.push_back(off.thresholds()[254]);
  }
  const double errors = 4 / std::sqrt(2.0 * trials);
  EXPECT_NEAR(deviation(middle, 64.5) / (0.05 * 4 * std::sqrt(64.0 / 4)), 1, errors);
  EXPECT_NEAR(deviation(end, 254.5) / (0.05 * 4 * std::sqrt(254.0 / 4)), 1, errors);
}

TEST(NonlinearBank, AllLinesShareTheRampAndHaveTheirOwnComparators) {
  const auto of = [](const std::string& errors) {
    const std::vector<double> all =
        converted(converters(ActivationFunction::tanh, "bits: 10\nerrors: " + errors, {}, 3), {3e-7, 3e-7, 3e-7});
    return all;
  };
  const std::vector<double> shared = of("{mismatch: 0.3}"), own = of("{offset: 20}");
  EXPECT_EQ(shared[0], shared[2]);
  EXPECT_NE(shared[0], converted(converters(ActivationFunction::tanh, "bits: 10"), {3e-7})[0]);
  EXPECT_NE(own[0], own[1]);
  EXPECT_NE(own[1], own[2]);
}

TEST(NonlinearBank, ADelayedCounterRunsOnUnlessCalibrated) {
  const ScalarFunction straight([](double x) { return x; });
  const auto at_zero = [&](const std::string& more) {
    return converted(converters(straight, "kind: ramp\nbits: 8\nerrors: {delay: 3}\n" + more), {1e-9})[0];
  };
  const double step = 6.0 / 255;
  EXPECT_NEAR(at_zero("") - at_zero("calibration: offset\n"), 3 * step, 1e-12);
  EXPECT_NEAR(at_zero("calibration: offset\n"), 1.5e-3, step / 2);
}

TEST(NonlinearBank, CalibrationTakesOffWhatItMeasures) {
  for (const double share : {-0.8, 0.1, 0.7}) {
    for (std::uint32_t chip = 0; chip < 5; ++chip) {
      const AdcConfig off = config_of("bits: 12\nerrors: {offset: 100, gain: 0.05}\ncalibration: offset_gain\n");
      const Stream own(chip, Purpose::mismatch, {});
      const Adc adc = make_nonlinear_adc(off, {}, ActivationFunction::tanh, make_adc(off, 2e-6, true), 1.5e6, own, 1);
      EXPECT_NEAR(converted(adc, {share * 2e-6})[0], std::tanh(3 * share), 2 * 6.0 / 4095) << share;
      const AdcConfig left = config_of("bits: 12\nerrors: {offset: 100, gain: 0.05}\n");
      const Adc bare =
          make_nonlinear_adc(left, {}, ActivationFunction::tanh, make_adc(left, 2e-6, true), 1.5e6, own, 1);
      if (share == 0.1) {
        EXPECT_GT(std::abs(converted(bare, {share * 2e-6})[0] - std::tanh(3 * share)), 4 * 6.0 / 4095);
      }
    }
  }
}

/// A random walk from its start has a mean square of n / 2 steps, and of n / 15 about its best straight line.
TEST(NonlinearBank, CalibrationMeasuresTheRampToo) {
  const ScalarFunction straight([](double x) { return x; });
  const std::vector<double> currents = ramp();
  const auto squares = [&](const std::string& calibration) {
    const AdcConfig config = config_of("bits: 10\nerrors: {mismatch: 0.5}\ncalibration: " + calibration + "\n");
    double sum = 0;
    for (std::uint32_t chip = 0; chip < 100; ++chip) {
      const Stream own(chip, Purpose::mismatch, {});
      const std::vector<double> values =
          converted(make_nonlinear_adc(config, {}, straight, make_adc(config, 2e-6, true), 1.5e6, own, 1), currents);
      for (std::size_t i = 0; i < currents.size(); ++i) sum += std::pow(values[i] - 1.5e6 * currents[i], 2);
    }
    return sum;
  };
  EXPECT_NEAR(squares("offset_gain") / squares("none"), 2.0 / 15, 0.05);
}

TEST(NonlinearBank, ARampHasNoTableOfItsCodes) {
  EXPECT_EQ(testing_support::message_of<InputError>(
                [] { converters(ActivationFunction::tanh, "bits: 8\nerrors: {offset: 1}\ncalibration: table\n"); }),
            "chip.adc.calibration = 'table' gives each code a value of its own, and a ramp that computes an activation "
            "has no digital step for that. Take none, offset or offset_gain, or set chip.nonlinear_adc.method: table.");
}

TEST(NonlinearBank, ATableTakesTheErrorsOfItsLinearConverter) {
  const NonlinearAdcConfig how{NonlinearMethod::table, 10, {}};
  const auto error = [&](const std::string& text) {
    const std::vector<double> currents = ramp();
    const std::vector<double> values =
        converted(converters(ActivationFunction::tanh, "bits: 10\n" + text, how), currents);
    double squares = 0;
    for (std::size_t i = 0; i < currents.size(); ++i)
      squares += std::pow(values[i] - std::tanh(1.5e6 * currents[i]), 2);
    return std::sqrt(squares / static_cast<double>(currents.size()));
  };
  const double clean = error("");
  EXPECT_GT(error("errors: {offset: 40}"), 5 * clean);
  EXPECT_LT(error("errors: {offset: 40}\ncalibration: offset"), 2 * clean);
  EXPECT_GT(error("errors: {noise: 20}"), 3 * clean);
}

}  // namespace
}  // namespace tellegen::circuits
