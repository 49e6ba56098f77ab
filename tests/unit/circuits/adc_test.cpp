#include "tellegen/circuits/converter/adc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vectors.h"

namespace tellegen::circuits {
namespace {

using testing::StrEq;
using testing::ThrowsMessage;

const Stream noise(5, Purpose::converter_noise, {});

TEST(AdcConfig, OneBitOfSignAndMagnitudeIsRefused) {
  AdcConfig config;
  EXPECT_THAT([&] { read_config_text("bits: 1\n", "chip.yaml", config); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:1:7: bits = '1' leaves no bit beside the sign: quantiser 'sign_magnitude' "
                        "needs 2 bits or more; use quantiser: endpoint or mid_rise for 1 bit.")));
  for (const char* text :
       {"bits: 1\nquantiser: endpoint\n", "bits: 1\nquantiser: mid_rise\n", "bits: 2\n", "bits: ideal\n"}) {
    EXPECT_NO_THROW(read_config_text(text, "chip.yaml", config)) << text;
  }
}

TEST(AdcConfig, EffectiveBitsCannotExceedBits) {
  AdcConfig config;
  EXPECT_THAT([&] { read_config_text("bits: 6\nenob: 6.5\n", "chip.yaml", config); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:2:7: enob is above bits; the effective bits cannot exceed the resolution.")));
  read_config_text("bits: 6\nenob: 5.5\n", "chip.yaml", config);
  EXPECT_EQ(config.enob, 5.5);
}

/// The vectors give noise and INL; what make_adc infers from the resulting ENOB must be their sum of squares.
TEST(Adc, NoiseInvertsTheEnobFormula) {
  for (const auto& row : testing_support::converter_vectors()["enob"]) {
    AdcConfig config;
    config.quantiser = QuantiserKind::mid_rise;  // the formula's LSB is V_FS / 2^B
    config.bits = {row["bits"]};
    config.enob = row["enob"].get<double>();
    const double range_V = row["range_V"];
    const double inl_V = row["inl_rms_lsb"].get<double>() * range_V / std::ldexp(1.0, config.bits.bits);
    const double noise_V = row["noise_V"];
    const Adc adc = make_adc(config, range_V / 2, true);
    EXPECT_NEAR(adc.noise_A, std::hypot(noise_V, inl_V), 1e-9);
  }
}

TEST(Adc, EnobOfAnIdealResolutionIsAllNoise) {
  AdcConfig config;
  config.bits = {0};
  config.enob = 10.0;
  const Adc adc = make_adc(config, 1.0, true);
  EXPECT_NEAR(10 * std::log10(0.5 / (adc.noise_A * adc.noise_A)), 6.02 * 10 + 1.76, 1e-9);
}

TEST(Adc, WithoutEnobThereIsNoNoise) { EXPECT_EQ(make_adc({}, 1e-6, true).noise_A, 0.0); }

TEST(Adc, AUnipolarLineSpendsNoBitOnTheSign) {
  AdcConfig config;
  config.bits = {4};
  const Adc unipolar = make_adc(config, 15e-6, false);
  EXPECT_EQ(unipolar.quantiser.levels(), 16);
  EXPECT_EQ(unipolar.quantiser.quantise(0), 0.0);
  EXPECT_NEAR(unipolar.quantiser.quantise(7.2e-6), 7e-6, 1e-18);
  const Adc bipolar = make_adc(config, 7e-6, true);
  EXPECT_EQ(bipolar.quantiser.levels(), 15);
  EXPECT_EQ(bipolar.quantiser.quantise(0), 0.0);
  EXPECT_NEAR(bipolar.quantiser.quantise(-7.2e-6), -7e-6, 1e-18);
}

TEST(Adc, ConversionsAndClippedValuesAreCounted) {
  ArrayScratch<float> scratch;
  AdcConfig config;
  std::vector<float> currents = {-2e-6F, -1e-6F, 0, 1e-6F, 1.1e-6F};
  ConversionCounts counts = convert<float>(make_adc(config, 1e-6, true), currents, noise, 0, scratch);
  EXPECT_EQ(counts.conversions, 5);
  EXPECT_EQ(counts.clipped, 2);
  config.bits = {0};
  counts = convert<float>(make_adc(config, 1e-9, true), currents, noise, 0, scratch);
  EXPECT_EQ(counts.conversions, 5);
  EXPECT_EQ(counts.clipped, 0);
}

/// Whole currents up to the largest code come through a converter whose step is one unit unchanged.
TEST(Adc, ALosslessConverterKeepsWholeNumbers) {
  ArrayScratch<double> scratch;
  AdcConfig config;
  config.bits = {10};
  std::vector<double> currents, expected;
  for (int i = -511; i <= 511; ++i) currents.push_back(i * 3e-9);
  expected = currents;
  convert<double>(make_adc(config, 511 * 3e-9, true), currents, noise, 0, scratch);
  for (std::size_t i = 0; i < currents.size(); ++i) EXPECT_NEAR(currents[i], expected[i], 1e-21);
}

TEST(Adc, NoiseBelongsToTheElementNotToTheCall) {
  AdcConfig config;
  config.bits = {12};
  config.enob = 8.0;
  const Adc adc = make_adc(config, 1.0, true);
  ArrayScratch<float> scratch;
  std::vector<float> whole(10000, 0.25F), pieces(10000, 0.25F);
  convert<float>(adc, whole, noise, 77, scratch);
  for (std::size_t at = 0; at < pieces.size(); at += 333) {
    const std::size_t part = std::min<std::size_t>(333, pieces.size() - at);
    convert<float>(adc, std::span(pieces).subspan(at, part), noise, 77 + at, scratch);
  }
  EXPECT_EQ(whole, pieces);
  EXPECT_NE(whole[0], whole[1]);
}

}  // namespace
}  // namespace tellegen::circuits
