// Ways between tiles against closed forms, transfers against shapes counted by hand.

#include "tellegen/mapping/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tellegen/mapping/written_products.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::mapping {
namespace {

constexpr Topology kAll[] = {Topology::bus, Topology::h_tree, Topology::mesh};

models::Network network(const std::string& name) {
  return models::import_onnx(std::string(TELLEGEN_SOURCE_DIR) + "/models/trained/" + name + ".onnx");
}

Plan plan(const models::Network& network, int size) {
  ChipConfig chip;
  chip.tile.rows = chip.tile.columns = size;
  return std::get<Plan>(plan_greedy(network, chip));
}

TEST(Path, LengthsAndRoutersByHand) {
  const auto expect = [](Topology topology, int tiles, int from, int to, double routers, double pitches) {
    const Path path = path_between(topology, tiles, from, to);
    EXPECT_EQ(path.routers, routers);
    EXPECT_EQ(path.pitches, pitches);
  };
  expect(Topology::mesh, 9, 0, 8, 5, 4);
  expect(Topology::mesh, 9, 3, 4, 2, 1);
  expect(Topology::h_tree, 16, 0, 1, 1, 2);
  expect(Topology::h_tree, 16, 3, 4, 3, 6);
  expect(Topology::h_tree, 64, 0, 63, 5, 14);
  expect(Topology::bus, 9, 0, 1, 0, 9);
  expect(Topology::none, 9, 0, 8, 0, 0);
}

TEST(Path, ThereIsThatBackAndNoneToItself) {
  for (const Topology topology : kAll) {
    for (int from = 0; from < 20; ++from) {
      EXPECT_EQ(path_between(topology, 20, from, from).pitches, 0);
      for (int to = 0; to < from; ++to) {
        const Path there = path_between(topology, 20, from, to), back = path_between(topology, 20, to, from);
        EXPECT_EQ(there.pitches, back.pitches);
        EXPECT_EQ(there.routers, back.routers);
        EXPECT_GT(there.pitches, 0);
      }
    }
  }
}

TEST(Fabric, LinksAndRoutersByHand) {
  EXPECT_EQ(fabric(Topology::mesh, 9).routers, 9);
  EXPECT_EQ(fabric(Topology::mesh, 9).pitches, 24);
  EXPECT_EQ(fabric(Topology::mesh, 5).pitches, 10) << "two to the right and one below of the first row, ...";
  EXPECT_EQ(fabric(Topology::h_tree, 16).routers, 5);
  EXPECT_EQ(fabric(Topology::h_tree, 16).pitches, 2 * (16 + 4 * 2));
  EXPECT_EQ(fabric(Topology::bus, 7).pitches, 7);
  EXPECT_EQ(fabric(Topology::mesh, 1).routers, 0) << "nothing to join";
}

TEST(Transfers, OfAChainAreItsTensors) {
  const models::Network lenet = network("lenet_mnist");
  const std::vector<Transfer> found = transfers(lenet, plan(lenet, 512));
  ASSERT_EQ(found.size(), 5u);
  const double values[] = {28 * 28, 6 * 14 * 14, 16 * 5 * 5, 120, 84};  // behind the pools
  for (std::size_t l = 0; l < 5; ++l) {
    EXPECT_EQ(found[l].from, l == 0 ? std::nullopt : std::optional(l - 1));
    EXPECT_EQ(found[l].to, l);
    EXPECT_EQ(found[l].values, values[l]);
  }
}

/// A shortcut carries the tensor once more, to where the sum is made.
TEST(Transfers, ShortcutsGoToTheirSum) {
  const models::Network resnet = network("resnet8_fashion");
  const Plan planned = plan(resnet, 512);
  std::map<std::size_t, int> arriving;
  for (const Transfer& transfer : transfers(resnet, planned)) ++arriving[transfer.to];
  EXPECT_EQ(std::ranges::count_if(arriving, [](const auto& layer) { return layer.second == 2; }), 3)
      << "three blocks, each with one sum";
}

/// Sums of the inputs go to the layer with the states; states of its other matrices go there and back at every step.
TEST(Transfers, StatesGoToTheirOtherProductsAndBack) {
  for (const char* const name : {"lstm_mnist", "gru_mnist"}) {
    SCOPED_TRACE(name);
    const models::Network recurrent = network(name);
    const Plan planned = plan(recurrent, 512);
    const std::vector<Transfer> found = transfers(recurrent, planned);
    const auto values = [&](std::size_t from, std::size_t to) {
      double sum = 0;
      for (const Transfer& transfer : found) sum += transfer.from == from && transfer.to == to ? transfer.values : 0;
      return sum;
    };
    int with_states = 0;
    for (std::size_t l = 0; l < planned.layers.size(); ++l) {
      const LayerPlan& layer = planned.layers[l];
      if (!layer.matrix) continue;
      ++with_states;
      const bool last = l + 1 == planned.layers.size() || planned.layers[l + 1].node != layer.node;
      if (last) {
        const LayerPlan& of_inputs = planned.layers[l - *layer.matrix - 1];
        EXPECT_EQ(values(l - *layer.matrix - 1, l), static_cast<double>(layer.positions * of_inputs.outputs()));
        continue;
      }
      EXPECT_EQ(values(l + 1, l), static_cast<double>(layer.positions * layer.inputs()));
      EXPECT_EQ(values(l, l + 1), static_cast<double>(layer.positions * layer.outputs()));
    }
    EXPECT_GE(with_states, 2);
  }
}

/// Queries and keys go to the tiles of their product, weights and values to those of theirs, and its outputs back.
TEST(Transfers, BothFactorsGoToTilesThatAreRewritten) {
  const models::Network vit = network("vit_mnist");
  ChipConfig chip;
  chip.tile.rows = chip.tile.columns = 64;
  chip.attention.products = MatrixProducts::crossbar;
  chip.attention.rows = chip.attention.columns = 8;  // several tiles for each head
  Plan planned = std::get<Plan>(plan_greedy(vit, chip));
  ASSERT_EQ(plan_written(planned, vit, chip), std::nullopt);
  ASSERT_EQ(planned.written.size() % 2, 0u);
  const auto with_bits = traffic(vit, planned, Topology::bus, 8, 16);
  ASSERT_EQ(with_bits.size(), planned.layers.size() + planned.written.size());
  for (std::size_t w = 0; w < planned.written.size(); ++w) {
    const LayerPlan& product = planned.written[w];
    SCOPED_TRACE(product.name);
    const std::size_t row = planned.layers.size() + w;
    double driven = 0, written = 0, read = 0;
    for (const Transfer& transfer : transfers(vit, planned)) {
      if (transfer.to == row) (transfer.written ? written : driven) += transfer.values;
      if (transfer.from == row) read += transfer.values;
    }
    const auto factor = [](std::int64_t of_head) { return static_cast<double>(4 * of_head); };
    EXPECT_EQ(driven, factor(product.positions * product.rows_per_group));
    EXPECT_EQ(written, factor(product.rows_per_group * product.outputs_per_group));
    EXPECT_EQ(read, factor(product.positions * product.outputs_per_group));
    // What drives rows goes to each block of outputs, what is written to one tile; sums of row blocks come on top.
    std::set<std::int64_t> row_blocks, output_blocks;
    for (const TileSlice& slice : product.slices) {
      row_blocks.insert(slice.row_begin % product.rows_per_group);
      output_blocks.insert(slice.output_begin % product.outputs_per_group);
    }
    const auto sums = static_cast<double>(row_blocks.size() - 1) * read;
    EXPECT_GT(output_blocks.size(), 1u);
    EXPECT_DOUBLE_EQ(with_bits[row].bits,
                     (driven * static_cast<double>(output_blocks.size()) + written) * 8 + sums * 16);
  }
}

/// Sums behind a feed-forward are made there, also where the shortcut comes from a product that is numbered behind all layers.
TEST(Transfers, WorkBelongsToTheLatestOfBothKinds) {
  const models::Network vit = network("vit_mnist");
  ChipConfig chip;
  chip.attention.products = MatrixProducts::crossbar;
  Plan planned = std::get<Plan>(plan_greedy(vit, chip));
  ASSERT_EQ(plan_written(planned, vit, chip), std::nullopt);
  // Without the projection behind attention the shortcut's sum belongs to weights x values.
  std::erase_if(planned.layers, [](const LayerPlan& layer) { return layer.name.find("/o/") != std::string::npos; });
  std::size_t from_written = 0;
  for (const Transfer& transfer : transfers(vit, planned)) {
    if (!transfer.from) continue;
    from_written += *transfer.from >= planned.layers.size() ? 1 : 0;
    EXPECT_LT(row_of(planned, *transfer.from).node, row_of(planned, transfer.to).node);
  }
  EXPECT_GT(from_written, planned.written.size());
}

/// The share that each tile's rows take adds up to all values for each block of outputs; sums of row blocks come on top.
TEST(Traffic, EachBlockOfOutputsGetsAllValues) {
  const models::Network lenet = network("lenet_mnist");
  const Plan wide = plan(lenet, 512);
  for (const Topology topology : kAll) {
    const auto whole = traffic(lenet, wide, topology, 8, 16);
    EXPECT_EQ(whole[2].bits, 400 * 8);
    EXPECT_EQ(whole[4].bits, 84 * 8);
    const auto cut = traffic(lenet, plan(lenet, 64), topology, 8, 16);
    // 400 rows on 7 tiles one below the other, 120 outputs in pairs on 4 tiles side by side.
    EXPECT_DOUBLE_EQ(cut[2].bits, 4 * 400 * 8 + 6 * 120 * 16);
  }
}

}  // namespace
}  // namespace tellegen::mapping
