#include "tellegen/mapping/plan_table.h"

#include <algorithm>

namespace tellegen::mapping {
namespace {

TileConverters converters_for(int rows, int outputs, const ChipConfig& chip) {
  const EncodingConfig& encoding = chip.tile.encoding;
  TileConverters converters;
  converters.dacs = rows;
  converters.lines = outputs * lines_per_output(encoding) + reference_columns(encoding);
  converters.adcs = (converters.lines + chip.adc.columns_per_adc - 1) / chip.adc.columns_per_adc;
  return converters;
}

}  // namespace

TileConverters built_converters(const ChipConfig& chip) {
  const EncodingConfig& encoding = chip.tile.encoding;
  const int room = std::max(0, chip.tile.columns - reference_columns(encoding)) / columns_per_output(encoding);
  return converters_for(chip.tile.rows, room, chip);
}

TileConverters used_converters(const TileSlice& slice, const ChipConfig& chip) {
  return converters_for(slice.rows_used, static_cast<int>(slice.outputs()), chip);
}

std::vector<PlanRow> plan_rows(const Plan& plan, const models::Network& network, const ChipConfig& built) {
  std::vector<PlanRow> rows;
  const ChipConfig rewritten = attention_chip(built);
  for (std::size_t l = 0; l < row_count(plan); ++l) {
    const LayerPlan& layer = row_of(plan, l);
    const ChipConfig& chip = l < plan.layers.size() ? built : rewritten;
    int number = 0;
    for (const TileSlice& slice : layer.slices) {
      PlanRow row;
      row.layer = layer.name;
      row.op = layer.label;
      row.source = network.nodes.at(layer.node).source.op_type;
      row.slice = number++;
      row.tile = slice.tile;
      row.row_begin = slice.row_begin;
      row.row_end = slice.row_end;
      row.output_begin = slice.output_begin;
      row.output_end = slice.output_end;
      row.rows = slice.rows_used;
      row.columns = slice.columns_used;
      row.utilisation = static_cast<double>(weights_on(layer, slice) * columns_per_output(chip.tile.encoding)) /
                        (static_cast<double>(chip.tile.rows) * chip.tile.columns);
      row.positions = layer.positions;
      row.converters = used_converters(slice, chip);
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace tellegen::mapping
