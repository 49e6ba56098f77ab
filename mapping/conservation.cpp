#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tellegen/mapping/plan.h"
#include "tellegen/mapping/products.h"

namespace tellegen::mapping {
namespace {

using Index = std::int64_t;

template <class... Args>
void demand(bool holds, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) throw std::logic_error("The plan is wrong: " + fmt::format(format, std::forward<Args>(args)...));
}

/// How often each weight of a layer (its bias on rows is one) lies on a tile: the plain count that cleverer things are
/// checked by.
class Coverage {
 public:
  explicit Coverage(const LayerPlan& layer)
      : layer_(layer), times_(static_cast<std::size_t>(layer.outputs() * layer.block_rows()), 0) {}

  void add(const TileSlice& slice) {
    for (Index n = slice.output_begin; n < slice.output_end; ++n) {
      const Index group_row = n / layer_.outputs_per_group * layer_.block_rows();
      const Index from = std::max(slice.row_begin, group_row),
                  to = std::min(slice.row_end, group_row + layer_.block_rows());
      for (Index row = from; row < to; ++row) {
        std::uint8_t& times = times_[static_cast<std::size_t>(n * layer_.block_rows() + row - group_row)];
        if (times < 255) ++times;
      }
    }
  }

  void demand_once() const {
    const auto length = static_cast<std::size_t>(layer_.block_rows());
    for (std::size_t i = 0; i < times_.size(); ++i) {
      demand(times_[i] == 1, "weight {} of output {} of layer {} lies on {} tiles, not on 1.", i % length, i / length,
             layer_.name, times_[i]);
    }
  }

 private:
  const LayerPlan& layer_;
  std::vector<std::uint8_t> times_;
};

void check_slice(const LayerPlan& layer, const TileSlice& slice, const TileConfig& tile) {
  demand(0 <= slice.row_begin && slice.row_begin < slice.row_end && slice.row_end <= layer.rows(),
         "rows {} to {} on tile {} are not rows of layer {}.", slice.row_begin, slice.row_end, slice.tile, layer.name);
  demand(0 <= slice.output_begin && slice.output_begin < slice.output_end && slice.output_end <= layer.outputs(),
         "outputs {} to {} on tile {} are not outputs of layer {}.", slice.output_begin, slice.output_end, slice.tile,
         layer.name);
  // An output without a weight of its own on the tile would be converted all the same, and bring noise and cost.
  const Index block_rows = layer.block_rows(), block_outputs = layer.outputs_per_group;
  demand(slice.row_begin / block_rows == slice.output_begin / block_outputs &&
             (slice.row_end - 1) / block_rows == (slice.output_end - 1) / block_outputs,
         "rows {} to {} and outputs {} to {} on tile {} are not of the same groups of layer {}.", slice.row_begin,
         slice.row_end, slice.output_begin, slice.output_end, slice.tile, layer.name);
  const Index rows = slice.rows();
  const Index columns = slice.outputs() * columns_per_output(tile.encoding) + reference_columns(tile.encoding);
  demand(slice.rows_used == rows && slice.columns_used == columns,
         "tile {} is said to use {} x {} cells, its slice of layer {} takes {} x {}.", slice.tile, slice.rows_used,
         slice.columns_used, layer.name, rows, columns);
  demand(rows <= tile.rows && columns <= tile.columns, "tile {} is overfull: {} x {} cells of layer {} on {} x {}.",
         slice.tile, rows, columns, layer.name, tile.rows, tile.columns);
}

void check_shape(const LayerPlan& layer, const models::MatrixOperation& operation, const ChipConfig& chip) {
  const bool bias_on_rows = chip.tile.encoding.bias == BiasPlace::rows && operation.has_bias();
  demand(layer.groups == operation.groups() && layer.rows_per_group == operation.rows_per_group() &&
             layer.outputs_per_group == operation.outputs_per_group() && layer.bias_rows == (bias_on_rows ? 1 : 0),
         "layer {} has another shape in the network.", layer.name);
}

}  // namespace

void check_conservation(const Plan& plan, const models::Network& network, const ChipConfig& chip) {
  std::size_t next_layer = 0;
  std::set<int> used;
  for (const Product& product : products_of(network)) {
    const bool in_place = next_layer < plan.layers.size() && plan.layers[next_layer].node == product.node &&
                          plan.layers[next_layer].matrix == product.matrix;
    demand(in_place, "layer {} is not in it, or not in its place.", product.name);
    const LayerPlan& layer = plan.layers[next_layer++];
    check_shape(layer, *product.operation, chip);
    Coverage coverage(layer);
    for (const TileSlice& slice : layer.slices) {
      demand(0 <= slice.tile && slice.tile < plan.tiles, "tile {} of layer {} is not one of {} tiles.", slice.tile,
             layer.name, plan.tiles);
      demand(used.insert(slice.tile).second, "tile {} holds two slices.", slice.tile);
      check_slice(layer, slice, chip.tile);
      coverage.add(slice);
    }
    coverage.demand_once();
  }
  demand(next_layer == plan.layers.size(), "it has {} layers, the network has {}.", plan.layers.size(), next_layer);
  demand(used.size() == static_cast<std::size_t>(plan.tiles), "{} of {} tiles are empty.",
         static_cast<std::size_t>(plan.tiles) - used.size(), plan.tiles);
  demand(!chip.tiles || plan.tiles <= *chip.tiles, "it takes {} tiles, the chip has {}.", plan.tiles,
         chip.tiles.value_or(0));
}

}  // namespace tellegen::mapping
