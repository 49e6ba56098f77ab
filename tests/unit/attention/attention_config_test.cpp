// What attention on crossbars refuses, and what it says.

#include <gtest/gtest.h>

#include "written_product.h"

namespace tellegen::sim {
namespace {

template <class Error, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string config_error(const std::string& chip_lines) {
  return message_of<ConfigError>([&] { test::attention(chip_lines); });
}

TEST(AttentionConfig, WiresAreRefused) {
  EXPECT_EQ(
      config_error("  crossbar: {fidelity: circuit}\n  attention: {products: crossbar}\n"),
      "test.yaml:5:14: chip.attention on crossbars works without the resistance of wires: cells change with every "
      "input. Set crossbar.fidelity: functional or ideal, or attention.products: digital.");
}

TEST(AttentionConfig, OtherLawsThanOhmsAreRefused) {
  EXPECT_EQ(config_error("  attention: {products: crossbar, device: {iv: {law: sinh}}}\n"),
            "test.yaml:4:14: chip.attention on crossbars works with cells that follow Ohm's law. Set "
            "attention.device.iv.law: ohmic.");
}

TEST(AttentionConfig, RangesWithoutSamplesAreRefused) {
  EXPECT_EQ(
      config_error("  adc: {bits: 8, range: {method: analytic}}\n  attention: {products: crossbar}\n"),
      "test.yaml:5:14: chip.attention on crossbars finds the range of its ADCs from samples. Set adc.range.method: "
      "max, percentile or mse.");
}

TEST(AttentionConfig, CellsWithTooFewLevelsAreRefused) {
  EXPECT_EQ(
      config_error("  tile: {cell_levels: 16}\n  attention: {products: crossbar, device: {model: generic, levels: "
                   "4}}\n"),
      "test.yaml:5:14: chip.attention needs cells with 16 levels (tile.cell_levels), and attention.device has 4.");
}

TEST(AttentionConfig, DigitalAttentionAsksNothingOfItsCells) {
  EXPECT_EQ(
      config_error("  crossbar: {fidelity: circuit}\n  attention: {products: digital, device: {iv: {law: sinh}}}\n"),
      "no error");
}

/// A kind of cell brings its device; what the file says of it comes on top, whatever the order.
TEST(AttentionConfig, DefaultsFollowTheKindOfCell) {
  const auto chip = [](const std::string& line) {
    return test::attention("  attention: " + line + "\n").chip.attention;
  };
  EXPECT_EQ(chip("{}").cell, "gain_cell");
  EXPECT_EQ(chip("{cell: pcm}").device.model, "pcm_joshi");
  EXPECT_EQ(chip("{cell: pcm}").pulses, 10);
  EXPECT_EQ(chip("{cell: rram}").device.model, "rram_cmo");
  EXPECT_EQ(chip("{cell: fefet}").cell_area_F2, 15);
  EXPECT_EQ(chip("{pulses: 3, device: {model: sonos}, cell: pcm}").pulses, 3);
  EXPECT_EQ(chip("{pulses: 3, device: {model: sonos}, cell: pcm}").device.model, "sonos");
}

TEST(AttentionConfig, ResolvedConfigurationsReadTheSame) {
  for (const char* cell : {"gain_cell", "fefet", "rram", "pcm"}) {
    const mapping::ChipFile file{
        test::attention(std::string("  attention: {products: crossbar, cell: ") + cell + "}\n").chip};
    const std::string resolved = write_config(file);
    mapping::ChipFile read;
    read_config_text(resolved, "resolved.yaml", read);
    EXPECT_EQ(write_config(read), resolved);
  }
}

TEST(AttentionPlan, NetworksWithoutSuchProductsAreRefused) {
  const ExperimentConfig config = test::experiment("mlp_mnist", "chip: {attention: {products: crossbar}}");
  EXPECT_EQ(
      message_of<InputError>([&] { Session(test::kCosts, 1).plan_only(config); }),
      "chip.attention.products = 'crossbar', but the network 'mlp_mnist' has no product of two computed matrices. "
      "Set chip.attention.products: digital.");
}

TEST(AttentionPlan, TooFewTilesAreRefused) {
  const ExperimentConfig config = test::experiment("vit_mnist", "chip: {tiles: 40, attention: {products: crossbar}}");
  const ExperimentConfig enough = test::experiment("vit_mnist", "chip: {attention: {products: crossbar}}");
  const int tiles = Session(test::kCosts, 1).plan_only(enough).plan.tiles;
  EXPECT_EQ(message_of<RefusedError>([&] { Session(test::kCosts, 1).plan_only(config); }),
            "chip.tiles = 40 is not enough: with attention on crossbars the network needs " + std::to_string(tiles) +
                " tiles. Set chip.tiles to " + std::to_string(tiles) +
                " or more, leave it out to have as many as needed, or set chip.attention.products: digital.");
}

TEST(AttentionPlan, ExpectedEnergiesAreRefused) {
  const ExperimentConfig config =
      test::experiment("vit_mnist", "chip: {attention: {products: crossbar}}\nevaluate: {energy: histogram}");
  EXPECT_EQ(
      message_of<RefusedError>([&] { Session(test::kCosts, 1).plan_only(config); }),
      "evaluate.energy works with what tiles hold, and with chip.attention.products = 'crossbar' that changes with "
      "every input. Use 'tellegen run' with evaluate.energy: trace, or set chip.attention.products: digital.");
}

TEST(AttentionPlan, NarrowTilesAreRefused) {
  const ExperimentConfig config = test::experiment("vit_mnist", "chip: {attention: {products: crossbar, columns: 1}}");
  EXPECT_EQ(message_of<RefusedError>([&] { Session(test::kCosts, 1).plan_only(config); }),
            "A tile of 128 x 1 has no room for a single output: it takes 1 row and 2 columns. Set "
            "chip.attention.columns higher, or chip.tile.slices lower.");
}

/// 2 products in each block, a tile for each of 4 heads; keys stand as columns, values as rows.
TEST(AttentionPlan, EachHeadHasTilesOfItsOwn) {
  const ExperimentConfig config = test::experiment("vit_mnist", "chip: {attention: {products: crossbar}}");
  const mapping::Plan plan = Session(test::kCosts, 1).plan_only(config).plan;
  ASSERT_FALSE(plan.written.empty());
  int tiles = 0;
  for (const mapping::LayerPlan& layer : plan.layers) tiles += static_cast<int>(layer.slices.size());
  for (std::size_t w = 0; w < plan.written.size(); ++w) {
    const mapping::LayerPlan& product = plan.written[w];
    EXPECT_EQ(product.token_rows, w % 2 == 1);
    EXPECT_EQ(product.label, w % 2 == 1 ? "weights x values" : "queries x keys");
    EXPECT_EQ(product.groups, 4);
    EXPECT_EQ(product.positions, 16);
    ASSERT_EQ(product.slices.size(), 4U);
    for (std::size_t h = 0; h < 4; ++h) {
      EXPECT_EQ(product.slices[h].tile, tiles++);
      EXPECT_EQ(product.slices[h].row_begin, static_cast<std::int64_t>(h) * 16);
      EXPECT_EQ(product.slices[h].rows_used, 16);
      EXPECT_EQ(product.slices[h].columns_used, 32);
    }
  }
  EXPECT_EQ(plan.tiles, tiles);
}

TEST(AttentionRun, OwnScalesAreRefusedWhereTokensComeOneByOne) {
  const ExperimentConfig config = test::experiment(
      "lm_swiglu",
      "chip: {attention: {products: crossbar, scale: own}}\nevaluate: {samples: 1, calibration_samples: 2, chips: 1}");
  const std::string message = message_of<RefusedError>([&] { Session(test::kCosts, 1).run(config); });
  EXPECT_EQ(message,
            "chip.attention.scale = 'own' needs all values before the first is written, and in '/layers.0/MatMul_1' "
            "tokens come one by one. Set chip.attention.scale: calibrated.");
}

}  // namespace
}  // namespace tellegen::sim
