#include <fmt/format.h>

#include <algorithm>

#include "tellegen/mapping/plan.h"
#include "tellegen/mapping/products.h"
#include "tellegen/mapping/written_products.h"

namespace tellegen::mapping {
namespace {

using Index = std::int64_t;

/// Takes about 1 GB to plan: a chip of that size is a mistake in the tile's size.
constexpr Index kMostTiles = 10'000'000;

/// What one tile takes.
struct Room {
  Index rows = 0;
  Index outputs = 0;  ///< beside the reference columns
};

Room room_of(const TileConfig& tile) {
  return {tile.rows, std::max(0, tile.columns - reference_columns(tile.encoding)) / columns_per_output(tile.encoding)};
}

/// Appends slices to one layer, each on a new tile.
class LayerSlicer {
 public:
  LayerSlicer(LayerPlan& layer, const TileConfig& tile, int& next_tile)
      : layer_(layer), tile_(tile), room_(room_of(tile)), next_tile_(next_tile) {}

  void slice() {
    const Index groups_per_tile = std::min(room_.rows / layer_.block_rows(), room_.outputs / layer_.outputs_per_group);
    if (groups_per_tile >= 1) {
      pack_groups(groups_per_tile);
    } else {
      cut_groups();
    }
  }
  void cut_groups() {
    for (Index group = 0; group < layer_.groups; ++group) cut_group(group);
  }

 private:
  void pack_groups(Index groups_per_tile) {
    for (Index first = 0; first < layer_.groups; first += groups_per_tile) {
      const Index last = std::min(first + groups_per_tile, layer_.groups);
      add(first * layer_.block_rows(), last * layer_.block_rows(), first * layer_.outputs_per_group,
          last * layer_.outputs_per_group);
    }
  }

  void cut_group(Index group) {
    const Index row_limit = (group + 1) * layer_.block_rows(), output_limit = (group + 1) * layer_.outputs_per_group;
    for (Index r = group * layer_.block_rows(); r < row_limit; r += room_.rows) {
      for (Index n = group * layer_.outputs_per_group; n < output_limit; n += room_.outputs) {
        add(r, std::min(r + room_.rows, row_limit), n, std::min(n + room_.outputs, output_limit));
      }
    }
  }

  void add(Index row_begin, Index row_end, Index output_begin, Index output_end) {
    TileSlice slice{next_tile_++, row_begin, row_end, output_begin, output_end};
    slice.rows_used = static_cast<int>(slice.rows());
    slice.columns_used =
        static_cast<int>(slice.outputs()) * columns_per_output(tile_.encoding) + reference_columns(tile_.encoding);
    layer_.slices.push_back(slice);
  }

  LayerPlan& layer_;
  const TileConfig& tile_;
  Room room_;
  int& next_tile_;
};

/// Tiles that a layer takes; what LayerSlicer makes.
Index tiles_of(const LayerPlan& layer, const Room& room) {
  const auto pieces = [](Index whole, Index piece) { return (whole + piece - 1) / piece; };
  const Index groups_per_tile = std::min(room.rows / layer.block_rows(), room.outputs / layer.outputs_per_group);
  if (groups_per_tile >= 1) return pieces(layer.groups, groups_per_tile);
  return layer.groups * pieces(layer.block_rows(), room.rows) * pieces(layer.outputs_per_group, room.outputs);
}

LayerPlan describe(const Product& product, const EncodingConfig& encoding) {
  const models::MatrixOperation& operation = *product.operation;
  LayerPlan layer;
  layer.node = product.node;
  layer.matrix = product.matrix;
  layer.name = product.name;
  layer.label = product.label;
  layer.groups = operation.groups();
  layer.rows_per_group = operation.rows_per_group();
  layer.outputs_per_group = operation.outputs_per_group();
  layer.positions = product.positions;
  layer.bias_rows = encoding.bias == BiasPlace::rows && operation.has_bias() ? 1 : 0;
  TELLEGEN_ASSERT(layer.groups > 0 && layer.rows_per_group > 0 && layer.outputs_per_group > 0);
  return layer;
}

}  // namespace

void cut_groups(LayerPlan& layer, const TileConfig& tile, int& next_tile) {
  LayerSlicer(layer, tile, next_tile).cut_groups();
}

PlanOutcome plan_greedy(const models::Network& network, const ChipConfig& chip) {
  const TileConfig& tile = chip.tile;
  const Room room = room_of(tile);
  if (room.rows < 1 || room.outputs < 1) {
    return Refusal{
        fmt::format("A tile of {} x {} has no room for a single output: it takes 1 row and {} columns.", tile.rows,
                    tile.columns, columns_per_output(tile.encoding) + reference_columns(tile.encoding)),
        "Set chip.tile.columns higher, or chip.tile.slices lower."};
  }
  Plan plan;
  Index needed = 0;
  for (const Product& product : products_of(network)) {
    plan.layers.push_back(describe(product, tile.encoding));
    needed += tiles_of(plan.layers.back(), room);
  }
  if (needed > kMostTiles) {
    return Refusal{fmt::format("The network needs {} tiles of {} x {}; at most {} can be planned.", needed, tile.rows,
                               tile.columns, kMostTiles),
                   "Set chip.tile.rows and chip.tile.columns higher."};
  }
  for (LayerPlan& layer : plan.layers) LayerSlicer(layer, tile, plan.tiles).slice();
  if (chip.tiles && plan.tiles > *chip.tiles) {
    return Refusal{
        fmt::format("chip.tiles = {} is not enough: the network needs {} tiles of {} x {}.", *chip.tiles, plan.tiles,
                    tile.rows, tile.columns),
        fmt::format("Set chip.tiles to {} or more, leave it out to have as many as needed, or make the tiles larger.",
                    plan.tiles)};
  }
  return plan;
}

}  // namespace tellegen::mapping
