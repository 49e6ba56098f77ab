// The greedy planner on shapes small enough to place by hand, its refusals, and the check that catches wrong plans.

#include "tellegen/mapping/plan.h"

#include <gmock/gmock.h>

#include <functional>
#include <stdexcept>

#include "fake_network.h"
#include "tellegen/mapping/plan_table.h"

namespace tellegen::mapping {
namespace {

using testing_support::fake_network;
using testing_support::FakeShape;

ChipConfig chip_of(int rows, int columns) {
  ChipConfig chip;
  chip.tile.rows = rows;
  chip.tile.columns = columns;
  return chip;
}

Plan plan_of(const models::Network& network, const ChipConfig& chip) {
  auto outcome = plan_greedy(network, chip);
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) throw RefusedError(*refusal);
  check_conservation(std::get<Plan>(outcome), network, chip);
  return std::get<Plan>(outcome);
}

TEST(GreedyPlanner, SplitsRowsThenOutputsFullTilesFirst) {
  // 300 x 100 on tiles that hold 128 rows and 64 outputs: 3 row blocks of 2 output blocks.
  const auto network = fake_network({{1, 300, 100}});
  const auto plan = plan_of(network, chip_of(128, 128));
  ASSERT_EQ(plan.tiles, 6);
  const auto& slices = plan.layers.at(0).slices;
  EXPECT_EQ(slices[0].row_end, 128);
  EXPECT_EQ(slices[0].output_end, 64);
  EXPECT_EQ(slices[1].row_begin, 0);
  EXPECT_EQ(slices[1].output_begin, 64);
  EXPECT_EQ(slices[1].columns_used, 72);
  EXPECT_EQ(slices[5].row_begin, 256);
  EXPECT_EQ(slices[5].rows_used, 44);
  EXPECT_DOUBLE_EQ(utilisation(plan.layers[0], chip_of(128, 128)), 300.0 * 200 / (6 * 128 * 128));
}

TEST(GreedyPlanner, OnlyMatrixOperationsTakeTiles) {
  const auto network = fake_network({{1, 10, 10}, {1, 10, 10}});
  const auto plan = plan_of(network, chip_of(128, 128));
  EXPECT_EQ(plan.tiles, 2);  // one layer per tile
  ASSERT_EQ(plan.layers.size(), 2U);
  EXPECT_EQ(plan.layers[1].node, 2U);
  EXPECT_EQ(plan.layers[1].name, "layer1");
}

TEST(GreedyPlanner, SlicesAndReferencesTakeColumns) {
  const auto network = fake_network({{1, 10, 32}});
  ChipConfig chip = chip_of(128, 128);
  chip.tile.encoding.cell_levels = 4;
  chip.tile.encoding.slices = 2;
  EXPECT_EQ(plan_of(network, chip).tiles, 1);  // 32 outputs x 2 slices x 2
  chip.tile.encoding.slices = 4;
  EXPECT_EQ(plan_of(network, chip).tiles, 2);
  chip.tile.encoding.encoding = Encoding::offset;
  EXPECT_EQ(plan_of(network, chip).tiles, 1);
  chip.tile.encoding.encoding = Encoding::unit_column;  // 4 columns of references: 31 outputs
  const auto plan = plan_of(network, chip);
  EXPECT_EQ(plan.tiles, 2);
  EXPECT_EQ(plan.layers[0].slices[0].columns_used, 128);
  EXPECT_EQ(plan.layers[0].slices[1].columns_used, 8);
}

TEST(GreedyPlanner, ABiasOnRowsIsOneInputMore) {
  ChipConfig chip = chip_of(128, 128);
  chip.tile.encoding.bias = BiasPlace::rows;
  const auto plan = plan_of(fake_network({{1, 200, 10}, {1, 128, 10}, {1, 128, 10, false}, {14, 9, 1}}), chip);
  const auto& fits = plan.layers[0].slices;
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[1].row_end, 201);
  EXPECT_EQ(fits[1].rows_used, 73);
  const auto& spills = plan.layers[1].slices;  // 129 rows
  ASSERT_EQ(spills.size(), 2U);
  EXPECT_EQ(spills[0].rows_used, 128);
  EXPECT_EQ(spills[1].rows_used, 1);
  ASSERT_EQ(plan.layers[2].slices.size(), 1U);
  EXPECT_EQ(plan.layers[2].bias_rows, 0);
  const auto& grouped = plan.layers[3].slices;  // 10 rows per group: 12 groups, then 2
  ASSERT_EQ(grouped.size(), 2U);
  EXPECT_EQ(grouped[0].rows_used, 120);
  EXPECT_EQ(grouped[1].row_begin, 120);
  EXPECT_EQ(grouped[1].row_end, 140);
}

TEST(GreedyPlanner, PacksGroupsAsDiagonalBlocks) {
  // Depthwise 3x3, 40 channels: 14 groups of 9 x 1 per 128 rows.
  const auto network = fake_network({{40, 9, 1}});
  const auto plan = plan_of(network, chip_of(128, 128));
  const auto& slices = plan.layers[0].slices;
  ASSERT_EQ(slices.size(), 3U);
  EXPECT_EQ(slices[1].row_begin, 126);
  EXPECT_EQ(slices[1].row_end, 252);
  EXPECT_EQ(slices[1].output_begin, 14);
  EXPECT_EQ(slices[2].output_end, 40);
  EXPECT_DOUBLE_EQ(utilisation(plan.layers[0], chip_of(128, 128)), 40.0 * 9 * 2 / (3 * 128 * 128));
}

TEST(GreedyPlanner, CutsAGroupThatDoesNotFit) {
  const auto plan = plan_of(fake_network({{2, 20, 3}}), chip_of(16, 4));
  EXPECT_EQ(plan.tiles, 8);  // 2 groups x 2 row blocks x 2 output blocks (2 outputs each)
  EXPECT_EQ(plan.layers[0].slices[4].row_begin, 20);
  EXPECT_EQ(plan.layers[0].slices[4].row_end, 36);
  EXPECT_EQ(plan.layers[0].slices[4].output_begin, 3);
}

TEST(GreedyPlanner, RefusesAChipThatIsTooSmall) {
  const auto network = fake_network({{1, 300, 100}, {1, 512, 256}});
  ChipConfig chip = chip_of(128, 128);
  chip.tiles = 4;
  const auto outcome = plan_greedy(network, chip);
  const auto& refusal = std::get<Refusal>(outcome);
  EXPECT_EQ(refusal.reason, "chip.tiles = 4 is not enough: the network needs 22 tiles of 128 x 128.");
  EXPECT_EQ(refusal.remedy,
            "Set chip.tiles to 22 or more, leave it out to have as many as needed, or make the tiles larger.");
  chip.tiles = 22;
  EXPECT_EQ(plan_of(network, chip).tiles, 22);
}

TEST(GreedyPlanner, RefusesATileWithoutRoomForOneOutput) {
  ChipConfig chip = chip_of(16, 3);
  chip.tile.encoding = {Encoding::unit_column, Subtraction::digital, ScaleScope::per_layer, BiasPlace::digital, 4, 2};
  const auto outcome = plan_greedy(fake_network({{1, 4, 4}}), chip);
  EXPECT_EQ(std::get<Refusal>(outcome).reason,
            "A tile of 16 x 3 has no room for a single output: it takes 1 row and 4 columns.");
  EXPECT_EQ(std::get<Refusal>(outcome).remedy, "Set chip.tile.columns higher, or chip.tile.slices lower.");
}

TEST(SliceWeights, PutsGroupsOnTheDiagonal) {
  ChipConfig chip = chip_of(8, 8);
  chip.tile.encoding.bias = BiasPlace::rows;
  const auto plan = plan_of(fake_network({{3, 1, 2}}), chip);
  ASSERT_EQ(plan.tiles, 2);                                                    // 4 outputs per tile: 2 groups, then 1
  const std::vector<float> weights{1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6};  // weight, bias of outputs 0 .. 5
  EXPECT_EQ(slice_weights(plan.layers[0], plan.layers[0].slices[0], weights), (std::vector<float>{1, -1, 0, 0,  //
                                                                                                  2, -2, 0, 0,  //
                                                                                                  0, 0, 3, -3,  //
                                                                                                  0, 0, 4, -4}));
  EXPECT_EQ(slice_weights(plan.layers[0], plan.layers[0].slices[1], weights), (std::vector<float>{5, -5, 6, -6}));
}

struct Damage {
  const char* message;
  std::function<void(Plan&)> apply;
};

TEST(Conservation, CatchesEachWayToBeWrong) {
  ChipConfig chip = chip_of(8, 8);
  chip.tile.encoding.bias = BiasPlace::rows;
  const auto network = fake_network({{1, 10, 6}, {2, 2, 1}});
  const Plan good = plan_of(network, chip);  // layer0: 2 x 2 tiles, layer1: 1
  ASSERT_EQ(good.tiles, 5);
  const auto slice = [](Plan& plan, std::size_t i) -> TileSlice& { return plan.layers[0].slices[i]; };
  const std::vector<Damage> damages{
      {"weight 0 of output 4 of layer layer0 lies on 0 tiles, not on 1.",
       [&](Plan& plan) { plan.layers[0].slices.erase(plan.layers[0].slices.begin() + 1); }},
      {"weight 0 of output 0 of layer layer0 lies on 2 tiles, not on 1.",
       [&](Plan& plan) {
         plan.layers[0].slices.push_back(slice(plan, 0));
         plan.layers[0].slices.back().tile = plan.tiles++;
       }},
      {"tile 1 holds two slices.", [&](Plan& plan) { slice(plan, 0).tile = 1; }},
      {"tile 5 of layer layer0 is not one of 5 tiles.", [&](Plan& plan) { slice(plan, 0).tile = 5; }},
      {"tile -1 of layer layer0 is not one of 5 tiles.", [&](Plan& plan) { slice(plan, 0).tile = -1; }},
      {"weight 10 of output 0 of layer layer0 lies on 0 tiles, not on 1.",  // the bias
       [&](Plan& plan) {
         --slice(plan, 2).row_end;
         --slice(plan, 2).rows_used;
       }},
      {"tile 0 is overfull: 9 x 8 cells of layer layer0 on 8 x 8.",
       [&](Plan& plan) {
         slice(plan, 0).row_end = 9;
         slice(plan, 0).rows_used = 9;
       }},
      {"tile 0 is overfull: 8 x 10 cells of layer layer0 on 8 x 8.",
       [&](Plan& plan) {
         slice(plan, 0).output_end = 5;
         slice(plan, 0).columns_used = 10;
       }},
      {"tile 0 is said to use 7 x 8 cells, its slice of layer layer0 takes 8 x 8.",
       [&](Plan& plan) { slice(plan, 0).rows_used = 7; }},
      {"rows 8 to 12 on tile 2 are not rows of layer layer0.", [&](Plan& plan) { slice(plan, 2).row_end = 12; }},
      {"outputs 4 to 7 on tile 1 are not outputs of layer layer0.", [&](Plan& plan) { slice(plan, 1).output_end = 7; }},
      {"rows 0 to 6 and outputs 0 to 1 on tile 4 are not of the same groups of layer layer1.",
       [](Plan& plan) {
         plan.layers[1].slices[0].output_end = 1;
         plan.layers[1].slices[0].columns_used = 2;
       }},
      {"layer layer1 is not in it, or not in its place.", [](Plan& plan) { plan.layers.pop_back(); }},
      {"it has 3 layers, the network has 2.", [](Plan& plan) { plan.layers.push_back(plan.layers[1]); }},
      {"layer layer1 has another shape in the network.", [](Plan& plan) { plan.layers[1].groups = 1; }},
      {"1 of 6 tiles are empty.", [](Plan& plan) { plan.tiles = 6; }},
  };
  for (const Damage& damage : damages) {
    Plan bad = good;
    damage.apply(bad);
    try {
      check_conservation(bad, network, chip);
      ADD_FAILURE() << "not caught: " << damage.message;
    } catch (const std::logic_error& error) {
      EXPECT_EQ(error.what(), std::string("The plan is wrong: ") + damage.message);
    }
  }
  chip.tiles = 4;
  EXPECT_THROW(check_conservation(good, network, chip), std::logic_error);
}

TEST(PlanTable, OneRowPerTileWithItsConverters) {
  ChipConfig chip = chip_of(128, 128);
  chip.adc.columns_per_adc = 8;
  const auto network = fake_network({{1, 150, 70, true, 49}});
  const auto rows = plan_rows(plan_of(network, chip), network, chip);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[3].layer, "layer0");
  EXPECT_EQ(rows[3].op, "fake");
  EXPECT_EQ(rows[3].source, "Conv");
  EXPECT_EQ(rows[3].slice, 3);
  EXPECT_EQ(rows[3].tile, 3);
  EXPECT_EQ(rows[3].rows, 22);
  EXPECT_EQ(rows[3].columns, 12);
  EXPECT_EQ(rows[3].positions, 49);
  EXPECT_DOUBLE_EQ(rows[3].utilisation, 22.0 * 12 / (128 * 128));
  EXPECT_EQ(rows[3].converters.dacs, 22);
  EXPECT_EQ(rows[3].converters.lines, 6);
  EXPECT_EQ(rows[3].converters.adcs, 1);
  EXPECT_EQ(rows[0].converters.lines, 64);
  EXPECT_EQ(rows[0].converters.adcs, 8);
}

TEST(PlanTable, ATileIsBuiltForItsColumns) {
  ChipConfig chip = chip_of(128, 130);
  chip.adc.columns_per_adc = 8;
  EXPECT_EQ(built_converters(chip).dacs, 128);
  EXPECT_EQ(built_converters(chip).lines, 65);
  EXPECT_EQ(built_converters(chip).adcs, 9);
  chip.tile.encoding.subtract = Subtraction::digital;
  EXPECT_EQ(built_converters(chip).lines, 130);
  chip.tile.encoding.encoding = Encoding::unit_column;
  chip.tile.encoding.cell_levels = 4;
  chip.tile.encoding.slices = 4;
  EXPECT_EQ(built_converters(chip).lines, 31 * 4 + 4);
}

}  // namespace
}  // namespace tellegen::mapping
