// Equal errors: every option is made as bad as was asked for, and says so where it cannot.

#include <gtest/gtest.h>

#include <limits>

#include "small_comparison.h"
#include "tellegen/sim/compare/stages.h"
#include "tellegen/sim/engine/line_amplifiers.h"

namespace tellegen::compare {
namespace {

const char* const kGate =
    "  - {name: gate, path: tg_after_dac, front_end: {circuit: differential_pair, scale_mismatch: 0, reference: {bits: "
    "0}}}\n";

TEST(EqualError, EveryOptionComesWithinFivePercent) {
  const Comparison found =
      run(small(std::string("  - {name: table, path: digital}\n  - {name: lines, path: digital, unit: lines}\n"
                            "  - {name: ramp, path: nonlinear_adc}\n"
                            "  - {name: codes, path: nonlinear_adc, method: table}\n") +
                    kGate,
                "errors: [0.02, 0.01]"));
  ASSERT_EQ(found.rows.size(), 10u);
  for (const Row& row : found.rows) {
    SCOPED_TRACE(row.option);
    EXPECT_EQ(row.resized.reached, Reached::equal) << row.resized.error;
    EXPECT_NEAR(row.resized.error / row.asked_error, 1, kTolerance);
    EXPECT_LE(row.resized.median_error, row.resized.error);
  }
}

TEST(EqualError, SmallerErrorsNeedMore) {
  const Comparison found =
      run(small(std::string("  - {name: table, path: digital}\n") + kGate, "errors: [0.04, 0.02, 0.01, 0.005]"));
  for (std::size_t e = 0; e < 3; ++e) {
    const Row &table = found.rows[2 * e], &next_table = found.rows[2 * e + 2];
    EXPECT_GT(next_table.resized.sizes.enob, table.resized.sizes.enob);
    EXPECT_GE(next_table.resized.sizes.word_bits, table.resized.sizes.word_bits);
    EXPECT_GT(next_table.cost.area_m2.typical, table.cost.area_m2.typical);
    EXPECT_GT(found.rows[2 * e + 3].resized.sizes.area, found.rows[2 * e + 1].resized.sizes.area);
  }
}

// Pelgrom: deviations go as one over the square root of the area.
TEST(EqualError, HalvingTheAllowedErrorQuadruplesTheUntrimmedGateArea) {
  const Comparison found = run(small(kGate, "errors: [0.02, 0.01]"));
  EXPECT_NEAR(found.rows[1].resized.sizes.area / found.rows[0].resized.sizes.area, 4, 0.1);
}

TEST(EqualError, HalvingTheAllowedErrorTakesOneBit) {
  const Comparison found = run(small("  - {name: table, path: digital}\n", "errors: [0.01, 0.005]"));
  EXPECT_NEAR(found.rows[1].resized.sizes.enob - found.rows[0].resized.sizes.enob, 1, 0.3);
}

TEST(EqualError, WhatCannotBeReachedIsSaidWithTheClosest) {
  const Comparison found = run(small("  - {name: four bits, path: digital, adc: {bits: 4}}\n", "errors: [0.001]"));
  const Resized& resized = found.rows[0].resized;
  EXPECT_EQ(resized.reached, Reached::unreachable);
  EXPECT_EQ(resized.sizes.enob, 4);
  EXPECT_GT(resized.error, 0.001);
  // Steps of 1 on [-8, 8], rounded, through a slope of at most 1/4.
  EXPECT_LT(resized.error, 0.25 / std::sqrt(12.0));
  EXPECT_NE(resized.why.find("% is the least that any size gives; 0.1 % was asked for."), std::string::npos);
  EXPECT_FALSE(found.totals[0].comparable);
}

TEST(EqualError, ACircuitThatCannotDoTheFunctionIsRefused) {
  ComparisonConfig config = small("  - {name: gate, path: analog, front_end: {circuit: memglu_pairs}}\n");
  const Comparison found = run(config);
  EXPECT_EQ(found.rows[0].resized.reached, Reached::refused);
  EXPECT_FALSE(found.rows[0].resized.why.empty());
  EXPECT_EQ(found.rows[0].cost.energy_J, circuits::Band{});
}

TEST(EqualError, ErrorsComeFromTheCircuitsThemselves) {
  // With one bit-true table and no noise, mismatch or temperature, what is left is rounding: all circuits are alike.
  const ComparisonConfig config = small("  - {name: table, path: digital, adc: {bits: 8}}\n");
  const LayerSamples samples = gather(config.layers[0], config.samples, config.seed);
  const circuits::CostModel costs(config.costs, kCosts);
  const Surroundings around{&costs, config.node, 128, config.temperatures, config.priced_at, 5, 1};
  Sizes sizes;
  sizes.enob = 8;
  sizes.word_bits = 12;
  const std::vector<double> errors = circuit_errors({config.layers[0], samples, config.options[0], around}, sizes);
  ASSERT_EQ(errors.size(), 5u);
  for (const double error : errors) EXPECT_NEAR(error, errors[0], 1e-3 * errors[0]);
  // Uniform rounding of x, through the slope of the sigmoid: step / sqrt(12) times rms slope, below 1/4.
  const double step = samples.x_scale / 128;
  EXPECT_LT(errors[0], 0.25 * step / std::sqrt(12.0) * 1.2);
  EXPECT_GT(errors[0], 0.05 * step / std::sqrt(12.0));
}

/// Gate, multiplier and converters have a share of the error's power each: none is as large as can be to make up for
/// another. A converter behind takes half of what gate and amplifier have where there is none: twice their area.
TEST(EqualError, GatedLayersShareTheErrorBetweenGateMultiplierAndConverters) {
  for (const std::string path : {"tg_after_dac", "analog"}) {
    SCOPED_TRACE(path);
    ComparisonConfig config = small("  - {name: gate, path: " + path +
                                        ", amplifier_residual: 0.1, front_end: {circuit: differential_pair, "
                                        "scale_mismatch: 0, reference: {bits: 0}}}\n",
                                    "errors: [0.02]");
    config.layers[0].gated = true;
    config.samples = 40;
    config.circuits = 10;
    const Row to_array = run(config).rows[0];
    config.layers[0].reader = Reader::digital;
    const Row to_digital = run(config).rows[0];
    for (const Row& row : {to_array, to_digital}) {
      EXPECT_TRUE(row.comparable()) << row.resized.error;
      EXPECT_GT(part(row, "multiplier").energy_J.typical, 0);
      EXPECT_GT(part(row, path == "analog" ? "second_amplifier" : "second_adc").energy_J.typical, 0);
    }
    // Searches stop within half a per cent of the error, one of the area.
    EXPECT_NEAR(to_digital.resized.sizes.multiplier_area / to_array.resized.sizes.multiplier_area, 1, 0.02);
    EXPECT_NEAR(to_digital.resized.sizes.area / to_array.resized.sizes.area, path == "analog" ? 2 : 1, 0.4);
  }
}

/// What the second operand adds is in the error: with a perfect first one a coarse converter of the second is all there is.
TEST(EqualError, TheSecondOperandErrs) {
  ComparisonConfig config = small("  - {name: table, path: digital}\n");
  config.layers[0].gated = true;
  const LayerSamples samples = gather(config.layers[0], config.samples, config.seed);
  ASSERT_EQ(samples.second.size(), samples.x.size());
  const circuits::CostModel costs(config.costs, kCosts);
  const Surroundings around{&costs, config.node, 128, config.temperatures, config.priced_at, 5, 1};
  Sizes sizes;
  sizes.enob = 14;
  sizes.word_bits = 14;
  const Task task{config.layers[0], samples, config.options[0], around};
  Path path = make_path(task, sizes, Temperature::si(300));
  ASSERT_EQ(path.second.size(), 1u);
  EXPECT_LT(circuit_errors(task, sizes)[0], 2e-4);
  // Coarse words of the second alone: y / y_scale times rounding of u, uniform over a step.
  circuits::AdcConfig coarse;
  coarse.bits = {4};
  std::vector<float> second = samples.second;
  adc_stage(coarse, 1)->run(second, {.seed = 1, .group = 0, .count = 1}, 0);
  double squares = 0;
  for (std::size_t e = 0; e < second.size(); ++e)
    squares += std::pow(static_cast<double>(samples.y[e] * (second[e] - samples.second[e])), 2);
  const double expected = std::sqrt(squares / static_cast<double>(second.size())) / samples.y_scale;
  OptionConfig ramp = config.options[0];
  ramp.path = PathKind::nonlinear_adc;  // its second operand has the words' bits, the activation one more on its input
  sizes.word_bits = 4;
  const double found = circuit_errors({config.layers[0], samples, ramp, around}, sizes)[0];
  EXPECT_GT(found, expected);
  EXPECT_LT(found, 3 * expected);
}

/// A search shows the cheapest of what separate options reach.
TEST(EqualError, ASearchTakesTheCheapestCombination) {
  const auto gate = [](const std::string& name, const std::string& rest) {
    return "  - {name: " + name +
           ", path: tg_after_dac, front_end: {circuit: differential_pair, scale_mismatch: 0, reference: {bits: 0}, " +
           rest + "}\n";
  };
  const Comparison found =
      run(small(gate("a", "bias: 50 nA, trim: {bits: 0}}") + gate("b", "bias: 50 nA, trim: {bits: 5}}") +
                gate("c", "bias: 200 nA, trim: {bits: 0}}") + gate("d", "bias: 200 nA, trim: {bits: 5}}") +
                gate("all", "bias: 1 uA}, search: {trim_bits: [0, 5], bias: [50 nA, 200 nA]}")));
  ASSERT_EQ(found.rows.size(), 5u);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(found.rows[i].comparable());
    least = std::min(least, found.rows[i].cost.energy_J.typical);
  }
  const Row& best = found.rows[4];
  EXPECT_DOUBLE_EQ(best.cost.energy_J.typical, least);
  const std::size_t winner = static_cast<std::size_t>((*best.resized.sizes.bias_A > 1e-7 ? 2 : 0) +
                                                      (*best.resized.sizes.trim_bits == 5 ? 1 : 0));
  EXPECT_DOUBLE_EQ(found.rows[winner].cost.energy_J.typical, least);
}

TEST(EqualError, AReluIsComparedAsTheOthersAre) {
  ComparisonConfig config =
      small("  - {name: unit, path: digital}\n  - {name: ramp, path: nonlinear_adc}\n", "errors: [0.02, 0.01]");
  config.layers[0].function = Function::relu;
  const Comparison found = run(config);
  for (const Row& row : found.rows) EXPECT_EQ(row.resized.reached, Reached::equal) << row.option << row.resized.error;
  EXPECT_NE(part(found.rows[0], "unit").source, "");
  EXPECT_GT(found.rows[2].resized.sizes.enob, found.rows[0].resized.sizes.enob + 0.7);
}

/// Reference errors are those that a run has: a ramp whose end deviates, comparators with the errors of the file.
TEST(EqualError, NonlinearConvertersErrAsInARun) {
  const ComparisonConfig plain = small("  - {name: ramp, path: nonlinear_adc}\n");
  const ComparisonConfig noisy = small("  - {name: ramp, path: nonlinear_adc, adc: {errors: {offset: 3}}}\n");
  const LayerSamples samples = gather(plain.layers[0], plain.samples, plain.seed);
  const circuits::CostModel costs(plain.costs, kCosts);
  const Surroundings around{&costs, plain.node, 128, plain.temperatures, plain.priced_at, 40, 1};
  Sizes sizes;
  sizes.word_bits = 8;
  const auto error = [&](const ComparisonConfig& config, double deviation) {
    sizes.deviation = deviation;
    return percentile(circuit_errors({config.layers[0], samples, config.options[0], around}, sizes), 50);
  };
  EXPECT_GT(error(noisy, 0), 3 * error(plain, 0));
  EXPECT_GT(error(plain, 0.02), 3 * error(plain, 0));
  EXPECT_NEAR(error(plain, 0.04) / error(plain, 0.02), 2, 0.5);
}

TEST(EqualError, CalibrationLeavesItsShareOfTheErrorsOfEachAmplifier) {
  const std::shared_ptr<const circuits::Crossing> crossing = circuits::CrossingConfig().make(Temperature::si(300));
  constexpr int kCount = 100;
  const auto fours_through = [&](double residual) {
    std::vector<float> values(kCount, 4.0F);
    crossing_stage(crossing, 8, residual)->run(values, {.seed = 1, .group = 0, .count = kCount}, 0);
    return values;
  };
  const std::vector<float> all = fours_through(1), quarter = fours_through(0.25), none = fours_through(0);
  const sim::LineAmplifiers made =
      sim::make_line_amplifiers(*crossing, 8, kCount, Stream(1, Purpose::mismatch, {0, 0, 0}));
  float largest = 0;
  for (std::size_t c = 0; c < kCount; ++c) {
    const float error = 4 * (made.gain[c] - 1) + made.offset_A[c];
    EXPECT_NEAR(all[c] - none[c], error, 2e-6F);
    EXPECT_NEAR(quarter[c] - none[c], 0.25F * error, 2e-6F);
    largest = std::max(largest, std::abs(4 * (made.gain[c] - 1)));
  }
  EXPECT_GT(largest, 1e-3F) << "gains must differ";
}

TEST(EqualError, PercentilesAreNearestRanks) {
  EXPECT_EQ(percentile({5, 1, 4, 2, 3}, 95), 5);
  EXPECT_EQ(percentile({5, 1, 4, 2, 3}, 60), 3);
  EXPECT_EQ(percentile({7}, 50), 7);
}

}  // namespace
}  // namespace tellegen::compare
