#pragma once
// Which slice of which layer lies on which tile. Pure arithmetic on shapes: no weights, no randomness.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/mapping/analog_unit.h"
#include "tellegen/mapping/chip.h"
#include "tellegen/mapping/encoding.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// A rectangle of a layer's (block-diagonal) weight matrix on one tile: whole groups side by side on the diagonal
/// (cells off it are programmed to weight zero), or a part of one group. A bias on rows is one input more of each
/// group, its last.
struct TileSlice {
  int tile = 0;                                   ///< chip-wide number
  std::int64_t row_begin = 0, row_end = 0;        ///< lowered inputs of the layer, 0 .. LayerPlan::rows()
  std::int64_t output_begin = 0, output_end = 0;  ///< outputs of the layer, 0 .. LayerPlan::outputs()
  int rows_used = 0;                              ///< physical rows
  int columns_used = 0;                           ///< physical columns, references included
  std::int64_t rows() const { return row_end - row_begin; }
  std::int64_t outputs() const { return output_end - output_begin; }
};

struct LayerPlan {
  std::size_t node = 0;               ///< index into Network::nodes
  std::optional<std::size_t> matrix;  ///< which matrix of a layer with a state; nothing where the node is the product
  std::string name;                   ///< unique: of the node, or of the node and its matrix
  std::string label;                  ///< of its operation, "conv 3x3"
  std::int64_t groups = 1, rows_per_group = 0, outputs_per_group = 0;
  std::int64_t positions = 1;  ///< products per input of the network, all steps of a sequence together
  int bias_rows = 0;           ///< 1 where the bias is on a row of the arrays
  std::vector<TileSlice> slices;
  Boundary boundary = Boundary::digital;                ///< how its inputs arrive
  std::shared_ptr<const circuits::FrontEnd> front_end;  ///< of each row; null where the boundary is digital
  double gate_scale = 1;  ///< front-ends work on gate_scale times x: the layer's range is theirs
  /// Of each column instead of ADCs; null where outputs are digital.
  std::shared_ptr<const circuits::Crossing> amplifier;
  std::optional<circuits::ScalarFunction> adc_function;  ///< the activation that its ADCs compute, where they do
  bool token_rows = false;  ///< of a written matrix: its rows are tokens (values); else its columns are (keys)
  std::int64_t inputs() const { return groups * rows_per_group; }         ///< lowered inputs without the bias
  std::int64_t block_rows() const { return rows_per_group + bias_rows; }  ///< of one diagonal block
  std::int64_t rows() const { return groups * block_rows(); }
  std::int64_t outputs() const { return groups * outputs_per_group; }
};

struct Plan {
  std::vector<LayerPlan> layers;
  /// Products of two computed matrices on tiles that are written with every input, where chip.attention asks for it
  /// (written_products.h): groups are heads, their tiles follow those of `layers`.
  std::vector<LayerPlan> written;
  std::vector<AnalogUnit> analog_units;  ///< what circuits between converters compute
  int tiles = 0;
};

/// Layers and written products in one row, the order of all that is counted: `number` below row_count.
inline std::size_t row_count(const Plan& plan) { return plan.layers.size() + plan.written.size(); }
inline const LayerPlan& row_of(const Plan& plan, std::size_t number) {
  return number < plan.layers.size() ? plan.layers[number] : plan.written.at(number - plan.layers.size());
}

using PlanOutcome = std::variant<Plan, Refusal>;

/// Greedy: layers in order, a new tile for each slice (one layer per tile), each tile as full as it gets. Groups that
/// fit whole are packed as diagonal blocks, as many as fit; a larger group is cut into row blocks, each into output
/// blocks, full ones first. A Refusal where chip.tiles is set and not enough, or where a tile has no room for a single
/// output.
PlanOutcome plan_greedy(const models::Network& network, const ChipConfig& chip);

/// Throws std::logic_error unless each weight (and bias on rows) of each layer lies on exactly one tile, each tile
/// holds one slice, rows and outputs of a slice are of the same groups, no tile is overfull, and the chip has as many.
void check_conservation(const Plan& plan, const models::Network& network, const ChipConfig& chip);

/// Number of the layer of a node, or of one of its matrices; nothing where there is none.
std::optional<std::size_t> layer_of(const Plan& plan, std::size_t node, std::optional<std::size_t> matrix = {});

/// Of one input through all layers.
std::int64_t multiply_accumulates(const Plan& plan);

/// Weights (and biases on rows) of the layer on one tile: zeros off the diagonal and references do not count.
std::int64_t weights_on(const LayerPlan& layer, const TileSlice& slice);
/// Cells that hold weights of the layer over cells of its tiles; 0 for a layer without slices.
double utilisation(const LayerPlan& layer, const ChipConfig& chip);

/// The dense block of one tile, row-major [slice.outputs()][slice.rows()]: cut out of the layer's weights, row-major
/// [layer.outputs()][layer.block_rows()] (a bias on rows behind each output's own weights), on the diagonal, zeros
/// beside.
std::vector<float> slice_weights(const LayerPlan& layer, const TileSlice& slice, std::span<const float> weights);

}  // namespace tellegen::mapping
