#include "tellegen/mapping/attention_config.h"

#include <array>

#include "tellegen/circuits/cost/cell_write.h"

namespace tellegen::mapping {

std::span<const std::pair<MatrixProducts, const char*>> enum_names(MatrixProducts) {
  static constexpr std::array names{std::pair{MatrixProducts::digital, "digital"},
                                    std::pair{MatrixProducts::crossbar, "crossbar"}};
  return names;
}
std::span<const std::pair<WrittenScale, const char*>> enum_names(WrittenScale) {
  static constexpr std::array names{std::pair{WrittenScale::calibrated, "calibrated"},
                                    std::pair{WrittenScale::own, "own"}};
  return names;
}

void AttentionConfig::settings(Settings& v) {
  v("products", products,
    "of queries with keys and of their weights with values. digital: a multiplication and an addition per term; "
    "crossbar: keys "
    "and values are written into tiles with every input");
  v("rows", rows, "word lines of such a tile; none: as chip.tile", between(1, 65536));
  v("columns", columns, "bit lines of such a tile; none: as chip.tile", between(1, 65536));
  v.section("device", device, "the cell that is written; its age is the time from a write to the reads");
  v("cell_area_F2", cell_area_F2, "footprint of a cell in squared feature sizes", positive());
  v.choice("cell", cell, circuits::written_cells(), "whose write pulses are priced, and whose endurance counts");
  v("pulses", pulses, "write pulses of one cell, on average: 1 without verifying, more where writes are verified",
    at_least(1));
  v("cells_at_once", cells_at_once, "cells of one tile that are written at once; 0: all of a token", at_least(0));
  v("scale", scale,
    "which value is the largest conductance. calibrated: one per head from the calibration samples; own: the largest "
    "of each "
    "column as written");
}

}  // namespace tellegen::mapping
