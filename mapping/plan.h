#pragma once
// Which slice of which layer lies on which tile. Pure arithmetic on shapes: no weights, no randomness.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/mapping/chip.h"
#include "tellegen/mapping/encoding.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// A rectangle of a layer's (block-diagonal) weight matrix on one tile. Grouped convolutions put several groups on one tile as
/// diagonal blocks; cells off the diagonal are programmed to weight zero.
struct TileSlice {
  int tile = 0;  ///< chip-wide number
  std::int64_t row_begin = 0, row_end = 0;        ///< lowered inputs of the layer, groups * rows_per_group (+ bias row at the end)
  std::int64_t output_begin = 0, output_end = 0;  ///< outputs of the layer, groups * outputs_per_group
  int rows_used = 0;      ///< physical rows
  int columns_used = 0;   ///< physical columns, references included
};

struct LayerPlan {
  std::size_t node = 0;  ///< index into Network::nodes
  std::string name, label;
  std::int64_t groups = 1, rows_per_group = 0, outputs_per_group = 0, positions = 1;
  int bias_rows = 0;  ///< 1 where the bias is on a row of the arrays
  std::vector<TileSlice> slices;
  std::int64_t rows() const { return groups * rows_per_group + bias_rows; }
  std::int64_t outputs() const { return groups * outputs_per_group; }
};

struct Plan {
  std::vector<LayerPlan> layers;
  int tiles = 0;
};

using PlanOutcome = std::variant<Plan, Refusal>;

/// Greedy: layers in order, row blocks then output blocks, a new tile for each slice (one layer per tile).
/// A Refusal where chip.tiles is set and not enough, or a single output does not fit a tile.
PlanOutcome plan_greedy(const models::Network& network, const ChipConfig& chip);

/// Throws std::logic_error unless each weight of each layer lies on exactly one tile and no tile is overfull.
void check_conservation(const Plan& plan, const models::Network& network, const ChipConfig& chip);

/// Cells that hold weights of the layer over cells of its tiles.
double utilisation(const LayerPlan& layer, const ChipConfig& chip);

}  // namespace tellegen::mapping
