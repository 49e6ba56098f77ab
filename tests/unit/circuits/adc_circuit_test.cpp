// Decisions of each kind of converter: against vectors, against theory, and against the ideal quantiser.

#include "tellegen/circuits/converter/adc_circuit.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tellegen/circuits/converter/linearity.h"
#include "vectors.h"

namespace tellegen::circuits {
namespace {

const Stream mismatch(11, Purpose::mismatch, {});

double deviation(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double v : values) {
    sum += v;
    squares += v * v;
  }
  const double n = static_cast<double>(values.size());
  return std::sqrt(squares / n - sum / n * sum / n);
}

/// Four standard errors of a deviation estimated from `count` values, relative.
double four_errors(std::size_t count) { return 4 / std::sqrt(2.0 * static_cast<double>(count)); }

TEST(SarCircuit, LevelsAndCodesOfTheReferenceVectors) {
  const auto v = testing_support::converter_vectors()["sar"];
  const SarCircuit sar(v["capacitors"].get<std::vector<double>>(), 0);
  const std::vector<double> levels = sar.levels();
  ASSERT_EQ(levels.size(), v["levels"].size());
  for (std::size_t i = 0; i < levels.size(); ++i) EXPECT_NEAR(levels[i] / 64, v["levels"][i].get<double>(), 1e-14);
  const Linearity found = linearity(levels);
  EXPECT_NEAR(found.dnl_max, v["dnl_max"].get<double>(), 1e-12);
  EXPECT_NEAR(found.inl_max, v["inl_max"].get<double>(), 1e-12);
  EXPECT_NEAR(found.dnl[31], v["dnl_at_midscale"].get<double>(), 1e-12);
  for (const auto& row : v["codes"]) {
    const double x = row["x"];
    EXPECT_EQ(sar.code(64 * x, {}), row["code"].get<std::int64_t>()) << x;
    EXPECT_EQ(sar.code(64 * (x + v["offset"].get<double>()), {}), row["code_with_offset"].get<std::int64_t>()) << x;
  }
}

// sigma_DNL(mid) = sigma sqrt(2^B - 1), sigma_INL(mid) = sigma sqrt(2^B) / 2 (line through the ends; to 1/2^B).
TEST(SarCircuit, NonLinearityFromMismatchEqualsTheory) {
  constexpr int bits = 8, trials = 4000;
  constexpr double sigma = 0.01;
  AdcErrors errors;
  errors.mismatch = sigma;
  std::vector<double> dnl, inl;
  for (std::uint64_t c = 0; c < trials; ++c) {
    const auto circuit = make_adc_circuit("sar", bits, errors, mismatch, c);
    const Linearity found = linearity(dynamic_cast<const SarCircuit&>(*circuit).levels());
    dnl.push_back(found.dnl[127]);
    inl.push_back(found.inl[128]);
  }
  EXPECT_NEAR(deviation(dnl) / (sigma * std::sqrt(255.0)), 1, four_errors(trials));
  EXPECT_NEAR(deviation(inl) / (sigma * std::sqrt(256.0) / 2), 1, four_errors(trials) + 1.0 / 256);
}

// A ladder tied at both ends: threshold k of N deviates by sigma sqrt(k (N - k) / N); a free ramp by sigma sqrt(k).
TEST(ThresholdCircuit, LadderAndDelayLineDeviateAsRandomWalks) {
  constexpr int bits = 6, trials = 3000;
  constexpr double sigma = 0.02;
  AdcErrors errors;
  errors.mismatch = sigma;
  std::vector<double> tied, free;
  for (std::uint64_t c = 0; c < trials; ++c) {
    tied.push_back(thresholds(*make_adc_circuit("flash", bits, errors, mismatch, c), bits)[31]);
    free.push_back(thresholds(*make_adc_circuit("time_based", bits, errors, mismatch, c), bits)[31]);
  }
  EXPECT_NEAR(deviation(tied) / (sigma * std::sqrt(32.0 * 32 / 64)), 1, four_errors(trials));
  EXPECT_NEAR(deviation(free) / (sigma * std::sqrt(32.0)), 1, four_errors(trials));
}

TEST(SarCircuit, ANoisyDecisionErrsAsTheErrorFunctionSays) {
  constexpr double noise = 0.25;
  constexpr std::size_t trials = 200000;
  const SarCircuit one_bit({1, 1}, noise);  // its only level is 1
  std::vector<float> normals(trials);
  mismatch.normals(0, normals);
  for (const auto& row : testing_support::converter_vectors()["comparator"]) {
    const double sigmas = row["sigmas"], wrong = row["wrong"];
    std::size_t count = 0;
    for (const float& n : normals) count += one_bit.code(1 + sigmas * noise, {&n, 1}) == 0 ? 1 : 0;
    const double expected = wrong * trials;
    EXPECT_NEAR(static_cast<double>(count), expected, 4 * std::sqrt(expected) + 1) << sigmas;
  }
}

TEST(ThresholdCircuit, TheRampIsSharedAndTheDelayLineIsNot) {
  AdcErrors errors;
  errors.mismatch = 0.05;
  const auto of = [&](const char* kind, std::uint64_t c) {
    return thresholds(*make_adc_circuit(kind, 5, errors, mismatch, c), 5);
  };
  EXPECT_EQ(of("ramp", 0), of("ramp", 7));
  EXPECT_NE(of("time_based", 0), of("time_based", 7));
}

TEST(ThresholdCircuit, ADelayedRampRunsOn) {
  AdcErrors errors;
  errors.delay = 3;
  const auto ramp = make_adc_circuit("ramp", 5, errors, mismatch, 0);
  EXPECT_EQ(ramp->code(10.5, {}), 13);
  EXPECT_EQ(ramp->code(30.5, {}), 31);
}

// An offset of a stage's comparator below a quarter of half the range is made good by the next stages; the flash at the end
// is 2^(bits - 2) times less sensitive than the input.
TEST(PipelineCircuit, RedundancyAbsorbsOffsetsOfItsComparators) {
  constexpr int bits = 8;
  std::vector<PipelineCircuit::Stage> stages(bits - 2);
  const std::vector<double> last{-0.5, 0, 0.5};
  stages[0].low += 0.2;
  stages[1].high -= 0.24;
  stages[4].low -= 0.24;
  const PipelineCircuit circuit(bits, stages, last, 0);
  for (double q = 0.01; q < 256; q += 0.037) EXPECT_EQ(circuit.code(q, {}), static_cast<std::int64_t>(q)) << q;
  stages[0].low = -0.6;  // beyond redundancy
  const PipelineCircuit broken(bits, stages, last, 0);
  bool wrong = false;
  for (double q = 0.01; q < 256; q += 0.037) wrong = wrong || broken.code(q, {}) != static_cast<std::int64_t>(q);
  EXPECT_TRUE(wrong);
}

// The first stage jumps at v = +-1/4; with ratio 2 (1 - e) the jump of the residue is off by e v, e/4 of half the range, which
// is e 2^(bits - 1) / 4 steps at the input.
TEST(PipelineCircuit, AFiniteAmplifierLeavesAJumpAtTheFirstThreshold) {
  constexpr int bits = 10;
  AdcErrors errors;
  errors.amplifier_gain = 100;
  const auto circuit = make_adc_circuit("pipeline", bits, errors, mismatch, 0);
  const double loop = 1 + 2.0 / 100, at = 512 * 1.25;
  const double jump = static_cast<double>(circuit->code(at + 0.01, {}) - circuit->code(at - 0.01, {}));
  // Residues 2 v / loop and (2 v - 1) / loop, the latter worth 256 codes less: 256 - 256 / loop.
  EXPECT_NEAR(jump, 256 - 256 / loop, 1.01);
}

TEST(CcoCircuit, JitterGrowsWithTheSquareRootOfTheCount) {
  constexpr double noise = 20;
  const CcoCircuit cco(12, noise);
  std::vector<float> normals(20000);
  mismatch.normals(0, normals);
  const auto jitter = [&](double q) {
    std::vector<double> codes;
    for (const float& n : normals) codes.push_back(static_cast<double>(cco.code(q, {&n, 1})));
    return deviation(codes);
  };
  EXPECT_NEAR(jitter(2048) / (noise * std::sqrt(0.5)), 1, four_errors(20000));
  EXPECT_NEAR(jitter(2048) / jitter(512), 2, 2 * 2 * four_errors(20000));
}

}  // namespace
}  // namespace tellegen::circuits
