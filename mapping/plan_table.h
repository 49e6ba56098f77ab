#pragma once
// A plan as rows, one per tile: what `tellegen map` exports.

#include <cstdint>
#include <string>
#include <vector>

#include "tellegen/mapping/plan.h"

namespace tellegen::mapping {

/// Converters of one tile: a DAC per row in use, and an ADC for every columns_per_adc converted lines.
struct TileConverters {
  int dacs = 0;
  int lines = 0;  ///< converted lines: pairs count once where they are subtracted before the ADC
  int adcs = 0;
};
/// As built: what every tile of the chip has, in use or not.
TileConverters built_converters(const ChipConfig& chip);
/// What a slice keeps busy.
TileConverters used_converters(const TileSlice& slice, const ChipConfig& chip);

struct PlanRow {
  std::string layer;   ///< name of the node
  std::string op;      ///< what it does, "conv 3x3"
  std::string source;  ///< operator of the user's file it came from, "Conv"
  int slice = 0;       ///< within the layer, from 0
  int tile = 0;        ///< chip-wide, from 0
  std::int64_t row_begin = 0, row_end = 0, output_begin = 0, output_end = 0;  ///< as in TileSlice
  int rows = 0, columns = 0;                                                  ///< physical, in use
  double utilisation = 0;      ///< cells with weights over cells of the tile
  std::int64_t positions = 1;  ///< products per input of the network
  TileConverters converters;   ///< in use
};
/// Layers in the plan's order, then written products, slices in theirs. `network` must be the one that was planned.
std::vector<PlanRow> plan_rows(const Plan& plan, const models::Network& network, const ChipConfig& chip);

}  // namespace tellegen::mapping
