// Products of two computed matrices on rewritten tiles against the digital product, and what they count.

#include <gtest/gtest.h>

#include <cmath>

#include "written_product.h"

namespace tellegen::sim {
namespace {

using test::ProductShape;

constexpr double kFloatStep = 1.2e-7;  // conductances and drives are floats

struct Outcome {
  models::Tensor first, second, output;
  LayerEvents events;
};

Outcome multiplied(const ProductShape& shape, const ExperimentConfig& config, bool causal, std::int64_t batch = 2) {
  Outcome made;
  made.first = test::values({batch, shape.heads, shape.m, shape.k}, 1, !shape.token_rows);
  made.second = test::values({batch, shape.heads, shape.k, shape.n}, 2);
  if (shape.token_rows && causal) {  // weights of attention: nothing right of the diagonal
    for (std::size_t i = 0; i < made.first.data.size(); ++i) {
      const std::size_t k = static_cast<std::size_t>(shape.k), m = static_cast<std::size_t>(shape.m);
      if (i % k > i / k % m) made.first.data[i] = 0;
    }
  }
  const mapping::LayerPlan plan = test::planned(shape, config.chip);
  const WrittenArrays<double> arrays(config, 0);
  WrittenLayer layer = test::layer_of(shape, config, !shape.token_rows, causal);
  arrays.calibrate(layer, plan, made.first, made.second);
  made.output = arrays.multiply(layer, plan, made.first, made.second, {}, made.events);
  return made;
}

/// Whatever tiles the matrices are cut into, and whichever factor is longer.
TEST(WrittenArrays, IdealCellsGiveTheDigitalProduct) {
  const ExperimentConfig config = test::attention(test::kIdealArrays);
  for (const ProductShape shape : {ProductShape{1, 3, 4, 5, false}, ProductShape{2, 7, 9, 12, false},
                                   ProductShape{3, 30, 5, 2, true}, ProductShape{1, 1, 1, 1, true}}) {
    const Outcome made = multiplied(shape, config, false);
    test::for_each_element(made.first, made.second, [&](std::size_t at, double exact, std::int64_t, std::int64_t) {
      EXPECT_NEAR(static_cast<double>(made.output.data[at]), exact, 4 * kFloatStep * static_cast<double>(shape.k));
    });
  }
}

/// Half a step of the DAC for each term, half a step of the ADC for each row block.
TEST(WrittenArrays, ConvertersRoundAndNothingElse) {
  const ExperimentConfig config = test::attention(
      "  dac: {bits: 9}\n  adc: {bits: 11, range: {method: max}}\n  attention: {products: crossbar, device: {model: "
      "ideal}, rows: 64, columns: "
      "64}\n");
  const ProductShape shape{2, 6, 16, 8, false};
  const Outcome made = multiplied(shape, config, false, 3);
  double largest = 0, worst = 0;
  test::for_each_element(made.first, made.second, [&](std::size_t, double exact, std::int64_t, std::int64_t) {
    largest = std::max(largest, std::abs(exact));
  });
  const double dac_half_step = 0.5 / 255, adc_half_step = 0.5 / 1023;
  test::for_each_element(made.first, made.second, [&](std::size_t at, double exact, std::int64_t, std::int64_t) {
    const double dac = 16 * dac_half_step;
    EXPECT_NEAR(static_cast<double>(made.output.data[at]), exact, dac + adc_half_step * (largest + dac) + 1e-5);
    worst = std::max(worst, std::abs(static_cast<double>(made.output.data[at]) - exact));
  });
  EXPECT_GT(worst, adc_half_step * largest / 10);  // they do round
}

/// 0.5 times the row 3, -0.25, where the scales were calibrated on something else: 1, or of each column as it is written.
models::Tensor beyond_the_scale(bool own_scales) {
  const ExperimentConfig config = test::attention(test::kIdealArrays);
  const ProductShape shape{1, 1, 1, 2, false};
  const mapping::LayerPlan plan = test::planned(shape, config.chip);
  WrittenLayer layer = test::layer_of(shape, config, true, false);
  if (own_scales) layer.full_scale.clear();
  LayerEvents events;
  const WrittenArrays<double> arrays(config, 0);
  const models::Tensor first{{1, 1, 1, 1}, {0.5F}}, second{{1, 1, 1, 2}, {3.0F, -0.25F}};
  arrays.calibrate(layer, plan, first, second);
  return arrays.multiply(layer, plan, first, second, {}, events);
}

/// A value beyond the calibrated scale is the largest conductance.
TEST(WrittenArrays, ValuesBeyondTheScaleSaturate) {
  const models::Tensor output = beyond_the_scale(false);
  EXPECT_NEAR(static_cast<double>(output.data[0]), 0.5, 1e-6);
  EXPECT_NEAR(static_cast<double>(output.data[1]), -0.125, 1e-6);
}

/// The largest of each column as it is written.
TEST(WrittenArrays, OwnScalesSaturateNowhere) {
  const models::Tensor output = beyond_the_scale(true);
  EXPECT_NEAR(static_cast<double>(output.data[0]), 1.5, 1e-6);
  EXPECT_NEAR(static_cast<double>(output.data[1]), -0.125, 1e-6);
}

/// Token by token: scores of later tokens are not there, all others are what they were.
TEST(WrittenArrays, TokensAreReadWhenTheyAreThere) {
  const ExperimentConfig config = test::attention(test::kIdealArrays);
  for (const bool token_rows : {false, true}) {
    const ProductShape shape = token_rows ? ProductShape{2, 11, 11, 7, true} : ProductShape{2, 11, 6, 11, false};
    const Outcome made = multiplied(shape, config, true);
    test::for_each_element(made.first, made.second, [&](std::size_t at, double exact, std::int64_t t, std::int64_t s) {
      const double expected = !token_rows && s > t ? 0 : exact;
      EXPECT_NEAR(static_cast<double>(made.output.data[at]), expected, 4 * kFloatStep * static_cast<double>(shape.k));
    });
  }
}

/// Tiles of 4 x 10 hold 4 rows and 5 outputs. Keys: 6 rows are 2 row blocks, 11 tokens 3 column blocks.
TEST(WrittenArrays, CountsOfKeysTokenByToken) {
  const ExperimentConfig config = test::attention(test::kIdealArrays);
  const ProductShape shape{2, 11, 6, 11, false};
  const LayerEvents events = multiplied(shape, config, true, 3).events;
  const std::int64_t samples = 3, heads = 2, tokens = 11, seen = tokens * (tokens + 1) / 2;
  EXPECT_EQ(events.cell_writes, samples * heads * 6 * 11 * 2);
  EXPECT_EQ(events.products, samples * tokens);
  EXPECT_EQ(events.conversions, samples * heads * seen * 2);
  EXPECT_EQ(events.shift_adds, samples * heads * seen);
  EXPECT_EQ(events.scalings, samples * heads * seen);
  EXPECT_EQ(events.dac_drives, samples * heads * tokens * 6 * 3);
  EXPECT_EQ(events.buffer_read_bits, samples * heads * (tokens * 6 + 6 * 11) * 16);
  EXPECT_EQ(events.buffer_write_bits, samples * heads * seen * 16);
}

/// Values: 11 tokens are 3 row blocks, 7 outputs 2 column blocks; a row is driven from its own token on.
TEST(WrittenArrays, CountsOfValuesTokenByToken) {
  const ExperimentConfig config = test::attention(test::kIdealArrays);
  const ProductShape shape{2, 11, 11, 7, true};
  const LayerEvents events = multiplied(shape, config, true, 3).events;
  const std::int64_t samples = 3, heads = 2, tokens = 11;
  EXPECT_EQ(events.cell_writes, samples * heads * 11 * 7 * 2);
  EXPECT_EQ(events.conversions, samples * heads * tokens * 7 * 3);
  EXPECT_EQ(events.dac_drives, samples * heads * tokens * (tokens + 1) / 2 * 2);
  const LayerEvents whole = multiplied(shape, config, false, 3).events;
  EXPECT_EQ(whole.dac_drives, samples * heads * tokens * tokens * 2);
  EXPECT_EQ(whole.cell_writes, events.cell_writes);
}

/// sum over tokens t and columns s <= t of v^2 x^2 G t_pulse, G from the value alone: cells are ideal.
TEST(WrittenArrays, CellsOfTokensToComeTakeNoEnergy) {
  const ExperimentConfig config = test::attention(test::kIdealArrays);
  const ProductShape shape{1, 5, 4, 5, false};
  const Outcome made = multiplied(shape, config, true, 1);
  double expected_J = 0;
  const double g_max_S = 100e-6, v_V = config.chip.dac.v_read.si(), pulse_s = config.chip.dac.full_drive().si();
  for (std::size_t t = 0; t < 5; ++t) {
    for (std::size_t s = 0; s <= t; ++s) {
      for (std::size_t i = 0; i < 4; ++i) {
        const double x = static_cast<double>(made.first.data[t * 4 + i]);
        const double g_S = g_max_S * std::abs(static_cast<double>(made.second.data[i * 5 + s]));
        expected_J += v_V * v_V * x * x * g_S * pulse_s;
      }
    }
  }
  EXPECT_NEAR(made.events.cell_energy_J, expected_J, 1e-6 * expected_J);
}

}  // namespace
}  // namespace tellegen::sim
