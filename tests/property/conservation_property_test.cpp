// Random networks on random chips: every plan conserves weights, what is cut apart can be put together again, and
// damage is seen.

#include "tellegen/mapping/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "../unit/mapping/fake_network.h"

namespace tellegen::mapping {
namespace {

using testing_support::fake_network;
using testing_support::FakeShape;

constexpr int kCases = 400;

class RandomCase {
 public:
  explicit RandomCase(unsigned seed) : random_(seed) {
    chip.tile.rows = pick(1, 40);
    chip.tile.encoding.encoding = static_cast<Encoding>(pick(0, 2));
    chip.tile.encoding.bias = static_cast<BiasPlace>(pick(0, 1));
    chip.tile.encoding.cell_levels = 4;
    chip.tile.encoding.slices = pick(1, 3);
    const int least = columns_per_output(chip.tile.encoding) + reference_columns(chip.tile.encoding);
    chip.tile.columns = least + pick(0, 40);
    std::vector<FakeShape> shapes(static_cast<std::size_t>(pick(1, 3)));
    for (FakeShape& shape : shapes) {
      shape.groups = pick(0, 1) == 0 ? 1 : pick(1, 12);
      shape.rows_per_group = pick(1, 60);
      shape.outputs_per_group = pick(1, 30);
      shape.has_bias = pick(0, 1) == 1;
    }
    network = fake_network(shapes);
    plan = std::get<Plan>(plan_greedy(network, chip));
  }
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool conserved(const Plan& candidate) const {
    try {
      check_conservation(candidate, network, chip);
      return true;
    } catch (const std::logic_error&) {
      return false;
    }
  }

  ChipConfig chip;
  models::Network network;
  Plan plan;

 private:
  std::mt19937 random_;
};

TEST(ConservationProperty, EveryPlanConservesWeights) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    const RandomCase c(seed);
    EXPECT_NO_THROW(check_conservation(c.plan, c.network, c.chip)) << "seed " << seed;
  }
}

/// By its own road: weights are numbered, the blocks are cut out, and each number must turn up once, where its layer
/// wants it.
TEST(ConservationProperty, SlicesHoldEachWeightOnceAtItsRowAndOutput) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    const RandomCase c(seed);
    for (const LayerPlan& layer : c.plan.layers) {
      std::vector<float> weights(static_cast<std::size_t>(layer.outputs() * layer.block_rows()));
      std::iota(weights.begin(), weights.end(), 1.0F);
      std::map<float, std::pair<std::int64_t, std::int64_t>> found;  // weight -> lowered row, output
      std::size_t nonzero = 0;
      for (const TileSlice& slice : layer.slices) {
        const auto block = slice_weights(layer, slice, weights);
        for (std::size_t i = 0; i < block.size(); ++i) {
          if (block[i] == 0) continue;
          ++nonzero;
          const auto n = static_cast<std::int64_t>(i) / slice.rows_used,
                     k = static_cast<std::int64_t>(i) % slice.rows_used;
          found[block[i]] = {slice.row_begin + k, slice.output_begin + n};
        }
      }
      ASSERT_EQ(nonzero, weights.size()) << "seed " << seed;
      for (std::int64_t n = 0; n < layer.outputs(); ++n) {
        const auto group = n / layer.outputs_per_group;
        for (std::int64_t k = 0; k < layer.block_rows(); ++k) {
          const float weight = weights[static_cast<std::size_t>(n * layer.block_rows() + k)];
          ASSERT_EQ(found.at(weight), std::pair(group * layer.block_rows() + k, n)) << "seed " << seed;
        }
      }
    }
  }
}

TEST(ConservationProperty, DamageIsSeen) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    RandomCase c(seed);
    Plan bad = c.plan;
    auto& slices = bad.layers[static_cast<std::size_t>(c.pick(0, static_cast<int>(bad.layers.size()) - 1))].slices;
    const auto index = static_cast<std::size_t>(c.pick(0, static_cast<int>(slices.size()) - 1));
    TileSlice& slice = slices[index];
    switch (c.pick(0, 5)) {
      case 0:  // dropped, its tile given back
        for (auto& layer : bad.layers) {
          for (TileSlice& other : layer.slices) other.tile -= other.tile > slice.tile ? 1 : 0;
        }
        slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(index));
        --bad.tiles;
        break;
      case 1:  // twice, on a tile of its own
        slices.push_back(slice);
        slices.back().tile = bad.tiles++;
        break;
      case 2:  // one output too many
        ++slice.output_end;
        slice.columns_used += columns_per_output(c.chip.tile.encoding);
        break;
      case 3:  // moved by one output
        ++slice.output_begin;
        ++slice.output_end;
        break;
      case 4:  // one row less
        --slice.row_end;
        --slice.rows_used;
        break;
      default:  // a tile smaller than what was planned for
        c.chip.tile.rows = slice.rows_used - 1;
        break;
    }
    EXPECT_FALSE(c.conserved(bad)) << "seed " << seed;
  }
}

/// Greedy on one ungrouped layer is ceil(K / rows) x ceil(N / outputs per tile), and never fewer tiles than cells
/// demand.
TEST(ConservationProperty, TileCountIsTheProductOfBlockCounts) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    const RandomCase c(seed);
    const auto& encoding = c.chip.tile.encoding;
    const int room = (c.chip.tile.columns - reference_columns(encoding)) / columns_per_output(encoding);
    const auto blocks = [](std::int64_t total, std::int64_t size) { return (total + size - 1) / size; };
    for (const LayerPlan& layer : c.plan.layers) {
      if (layer.groups == 1) {
        EXPECT_EQ(static_cast<std::int64_t>(layer.slices.size()),
                  blocks(layer.rows(), c.chip.tile.rows) * blocks(layer.outputs(), room))
            << "seed " << seed;
      }
      EXPECT_LE(utilisation(layer, c.chip), 1.0);
      EXPECT_GT(utilisation(layer, c.chip), 0.0);
    }
  }
}

}  // namespace
}  // namespace tellegen::mapping
