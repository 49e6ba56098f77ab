// Figures of converters, DAC levels, and the transfer curve of DACs.

#include "tellegen/circuits/converter/linearity.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tellegen/circuits/converter/adc_range.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/cost/dac_cost.h"
#include "vectors.h"

#include <boost/math/special_functions/erf.hpp>

namespace tellegen::circuits {
namespace {

using testing::StrEq;
using testing::ThrowsMessage;

const Stream mismatch(2, Purpose::mismatch, {});

TEST(Linearity, ByHand) {
  const double levels[] = {0, 1, 2.5, 3};
  const Linearity found = linearity(levels);
  EXPECT_EQ(found.dnl, (std::vector<double>{0, 0.5, -0.5}));
  EXPECT_EQ(found.inl, (std::vector<double>{0, 0, 0.5, 0}));
  EXPECT_EQ(found.dnl_max, 0.5);
  EXPECT_EQ(found.inl_max, 0.5);
  EXPECT_EQ(found.inl_rms, 0.25);
}

TEST(Linearity, ThresholdsOfAnIdealConverterAreWholeNumbers) {
  const auto circuit = make_adc_circuit("sar", 4, {}, mismatch, 0);
  const std::vector<double> found = thresholds(*circuit, 4);
  ASSERT_EQ(found.size(), 15U);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], static_cast<double>(i + 1), 1e-12);
}

TEST(EffectiveBits, OfTheReferenceVectors) {
  for (const auto& row : testing_support::converter_vectors()["enob"]) {
    EXPECT_NEAR(effective_bits(row["range_V"], row["bits"], row["noise_V"], row["inl_rms_lsb"]),
                row["enob"].get<double>(), 1e-12);
  }
}

TEST(EffectiveBits, SamplingCapacitanceOfTheReferenceVectors) {
  for (const auto& row : testing_support::converter_vectors()["sampling_capacitance"]) {
    const double expected = row["C_F"];
    EXPECT_NEAR(sampling_capacitance_F(row["bits"], row["range_V"], 300) / expected, 1, 1e-12);
  }
}

TEST(DacLevels, WithoutMismatchEveryKindIsBinary) {
  for (const char* kind : {"capacitive", "c2c", "r2r"}) {
    for (const int bits : {1, 2, 6, 8}) {
      const std::vector<double> levels = dac_levels(dac_bit_weights(kind, bits, 0, 0, mismatch, 0));
      const double full = std::ldexp(1.0, bits) - 1;
      for (std::size_t code = 0; code < levels.size(); ++code)
        EXPECT_NEAR(levels[code], static_cast<double>(code) / full, 1e-14) << kind;
    }
  }
}

// The exact ladder that the price of a C-2C DAC is computed with gives the same outputs.
TEST(DacLevels, LadderAgreesWithTheLadderOfItsPrice) {
  const std::vector<double> levels = dac_levels(dac_bit_weights("c2c", 6, 0, 0, mismatch, 0));
  for (std::uint32_t code = 0; code < 64; ++code)
    EXPECT_NEAR(levels[code], ladder_nodes(6, code).back() * 64 / 63, 1e-13);
}

// sigma_DNL(mid) = sigma sqrt(2^B - 1), as for the capacitors of a SAR converter.
TEST(DacLevels, CapacitiveMismatchEqualsTheory) {
  constexpr int bits = 6, trials = 4000;
  constexpr double sigma = 0.02;
  double squares = 0;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const Linearity found = linearity(dac_levels(dac_bit_weights("capacitive", bits, sigma, 0, mismatch, 64 * t)));
    squares += found.dnl[31] * found.dnl[31];
  }
  EXPECT_NEAR(std::sqrt(squares / trials) / (sigma * std::sqrt(63.0)), 1, 4 / std::sqrt(2.0 * trials));
}

TEST(DacLevels, ParasiticsBendALadderButNotBinaryCapacitors) {
  const auto inl = [&](const char* kind, double parasitic) {
    return linearity(dac_levels(dac_bit_weights(kind, 8, 0, parasitic, mismatch, 0))).inl_max;
  };
  EXPECT_LT(inl("c2c", 0), 1e-10);
  EXPECT_GT(inl("c2c", 0.1), 1);
  EXPECT_GT(inl("c2c", 0.1), 2 * inl("c2c", 0.02));
  EXPECT_LT(inl("capacitive", 0.1), 1e-10);
}

TEST(DacNonlinearity, TransferCurveOfTheReferenceVectors) {
  const auto v = testing_support::converter_vectors()["dac"];
  const double v_full = v["v_full"];
  DacNonlinearity curve;
  curve.gain = v["gain"];
  curve.offset = v["offset_V"].get<double>() / v_full;
  curve.second = v["second"];
  curve.third = v["third"];
  for (const auto& row : v["rows"]) {
    EXPECT_NEAR(v_full * curve.at(row["code"].get<double>() / 63, 1), row["V"].get<double>(), 1e-15);
  }
  DacNonlinearity bow;
  bow.second = v["second"];
  EXPECT_NEAR((bow.at(0.5, 1) - 0.5) * 63, v["inl_peak_from_second_lsb"].get<double>(), 1e-12);
}

Dac pwm_dac(const char* nonlinearity) {
  Dac dac;
  read_config_text(std::string("kind: pwm\nbits: 4\npwm_step: 1 ns\n") + nonlinearity, "chip.yaml", dac.config);
  dac.full_scale = 1;
  dac.is_signed = true;
  return dac;
}

TEST(DacNonlinearity, DrivesFollowTheCurveWithTheirSign) {
  const Dac dac = pwm_dac("nonlinearity: {second: 0.2}\n");
  const std::vector<float> codes = {-7, -3, 0, 3, 7};
  std::vector<float> drive(codes.size());
  slice_drive<float>(dac, codes, 0, drive);
  const auto at = [](double u) { return static_cast<float>(u + 0.2 * u * (1 - u)); };
  EXPECT_EQ(drive[0], -1.0F);
  EXPECT_NEAR(drive[1], -at(3.0 / 7), 1e-7);
  EXPECT_EQ(drive[2], 0.0F);
  EXPECT_NEAR(drive[3], at(3.0 / 7), 1e-7);
  EXPECT_EQ(drive[4], 1.0F);
}

// 4 bits of which one is the sign: a full pulse of pwm lasts 15 steps by its setting; each pulse loses one and a half.
TEST(DacNonlinearity, EveryPulseLosesItsEdgeAndShortOnesVanish) {
  const Dac dac = pwm_dac("nonlinearity: {edge_loss: 1.5 ns}\n");
  EXPECT_DOUBLE_EQ(dac.config.full_drive().si(), 15e-9);
  const std::vector<double> codes = {0, 1, 7, -7};
  std::vector<double> drive(codes.size());
  slice_drive<double>(dac, codes, 0, drive);
  EXPECT_EQ(drive[0], 0);
  EXPECT_NEAR(drive[1], 1.0 / 7 - 0.1, 1e-12);
  EXPECT_NEAR(drive[2], 0.9, 1e-12);
  EXPECT_NEAR(drive[3], -0.9, 1e-12);
  slice_drive<double>(pwm_dac("nonlinearity: {edge_loss: 3 ns}\n"), codes, 0, drive);
  EXPECT_EQ(drive[1], 0);  // 2.1 of 15 steps
  EXPECT_NEAR(drive[2], 0.8, 1e-12);
}

// A loaded C-2C ladder drives the levels of the loaded ladder, for each code and sign.
TEST(DacNonlinearity, ALoadedLadderDrivesItsLevels) {
  Dac dac;
  read_config_text("kind: c2c\nbits: 5\nnonlinearity: {parasitic: 0.2}\n", "chip.yaml", dac.config);
  dac.is_signed = true;
  const std::vector<double> levels = dac_levels(dac_bit_weights("c2c", 4, 0, 0.2, mismatch, 0));
  std::vector<double> codes, drive(31);
  for (int code = -15; code <= 15; ++code) codes.push_back(code);
  slice_drive<double>(dac, codes, 0, drive);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double level = levels[static_cast<std::size_t>(std::abs(codes[i]))];
    EXPECT_DOUBLE_EQ(drive[i], codes[i] < 0 ? -level : level);
  }
}

TEST(DacNonlinearity, EdgesAreOfPulses) {
  DacConfig ladder;
  EXPECT_THAT([&] { read_config_text("kind: pwm\nnonlinearity: {parasitic: 1}\n", "chip.yaml", ladder); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:1:7: kind = 'pwm' is no ladder: nonlinearity.parasitic is of kinds c2c and r2r.")));
  DacConfig config;
  EXPECT_THAT([&] { read_config_text("kind: c2c\nnonlinearity: {edge_loss: 1 ns}\n", "chip.yaml", config); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:1:7: kind = 'c2c' has no pulse widths: nonlinearity.edge_loss is of kind pwm.")));
}

/// |x| of a normal density at the middle of equally likely parts.
std::vector<double> half_normal(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(std::sqrt(2.0) *
                     boost::math::erf_inv((static_cast<double>(i) + 0.5) / static_cast<double>(count)));
  return values;
}

TEST(AdcRange, LeastSquaresFindsTheOptimalClipOfAGaussian) {
  const std::vector<double> samples = half_normal(1 << 14);
  for (const auto& row : testing_support::converter_vectors()["gaussian_clipping"]) {
    if (row["bits"].get<int>() > 6) continue;  // these samples end at 4.2 sigma
    AdcConfig config;
    config.bits = {row["bits"]};
    config.quantiser = QuantiserKind::mid_rise;
    const double clip = mse_full_scale<double>(config, true, samples);
    EXPECT_NEAR(clip / row["clip_sigma"].get<double>(), 1, 0.02) << config.bits.bits;
  }
}

TEST(AdcRange, TheOptimumIsNoWorseThanItsNeighbours) {
  std::vector<double> samples = half_normal(4000);
  samples.push_back(50);  // an outlier that max would scale everything to
  AdcConfig config;
  config.bits = {5};
  const auto error = [&](double full_scale) {
    double sum = 0;
    for (const double x : samples) sum += std::pow(make_adc(config, full_scale, true).quantiser.quantise(x) - x, 2);
    return sum;
  };
  const double best = mse_full_scale<double>(config, true, samples);
  for (const double ratio : {0.5, 0.8, 0.95, 1.05, 1.2, 2.0}) EXPECT_LE(error(best), error(best * ratio)) << ratio;
  EXPECT_LT(best, 25);
}

TEST(AdcRange, MethodsOnSamplesByHand) {
  AdcConfig config;
  std::vector<float> samples = {4, 1, 3, 2};
  config.range.method = RangeMethod::max;
  EXPECT_EQ(full_scale_of<float>(config, true, samples), 4);
  config.range.method = RangeMethod::percentile;
  config.range.percentile = 50;
  EXPECT_EQ(full_scale_of<float>(config, true, samples), 2);
  config.range.method = RangeMethod::mse;
  config.bits = {16};
  EXPECT_NEAR(full_scale_of<float>(config, true, samples), 4, 0.02);
  std::vector<float> zeros(5, 0.0F);
  EXPECT_EQ(full_scale_of<float>(config, true, zeros), 0);
  samples[1] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(full_scale_of<float>(config, true, samples), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace tellegen::circuits
