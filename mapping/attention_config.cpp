#include "tellegen/mapping/attention_config.h"

#include <array>
#include <map>

#include "tellegen/circuits/cost/cell_write.h"

namespace tellegen::mapping {

namespace {

/// What goes with a kind of cell where the file does not say otherwise.
struct CellDefaults {
  devices::DeviceConfig device;
  double cell_area_F2, pulses;
};

devices::DeviceConfig device_of(const char* yaml) {
  devices::DeviceConfig device;
  read_config_text(yaml, "default cell", device);
  return device;
}

/// Footprints: cell files of NVMExplorer (commit 02d0480; embedded dynamic memory for the gain cell). PCM and RRAM: published
/// statistics after write-verify, for which 10 pulses are assumed. Errors of gain cells and FeFETs, and the 5 ms in which a
/// gain cell loses 63 %, are assumed.
const std::map<std::string, CellDefaults>& cell_defaults() {
  static const std::map<std::string, CellDefaults> defaults = {
      {"gain_cell",
       {device_of(
            "{model: generic, g_max: 100 uS, programming_noise: {absolute: 1 uS}, read_noise: {absolute: 0.5 uS}, "
            "retention: {lifetime: 5 ms, reference: 300 K}, age: 20 us}"),
        60, 1}},
      {"fefet",
       {device_of(
            "{model: generic, g_max: 100 uS, programming_noise: {absolute: 4 uS}, read_noise: {absolute: 0.5 uS}}"),
        15, 1}},
      {"rram", {device_of("{model: rram_cmo, acceptance: 2 %}"), 53, 10}},
      {"pcm", {device_of("{model: pcm_joshi}"), 19, 10}}};
  return defaults;
}

}  // namespace

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

AttentionConfig::AttentionConfig() { set_defaults(); }

void AttentionConfig::set_defaults() {
  if (made_for_ == cell) return;
  const CellDefaults& defaults = cell_defaults().at(cell);
  device = defaults.device;
  cell_area_F2 = defaults.cell_area_F2;
  pulses = defaults.pulses;
  made_for_ = cell;
}

void AttentionConfig::settings(Settings& v) {
  v("products", products,
    "of queries with keys and of their weights with values. digital: a multiplication and an addition per term; "
    "crossbar: keys and values are written into tiles with every input");
  v("rows", rows, "word lines of such a tile; none: as chip.tile", between(1, 65536));
  v("columns", columns, "bit lines of such a tile; none: as chip.tile", between(1, 65536));
  v.choice("cell", cell, circuits::written_cells(),
           "whose write pulses are priced, and whose endurance counts; defaults of device, cell_area_F2 and pulses "
           "follow it");
  set_defaults();
  v.section("device", device, "the cell that is written; its age is the time from a write to the reads");
  v("cell_area_F2", cell_area_F2, "footprint of a cell in squared feature sizes", positive());
  v("pulses", pulses, "write pulses of one cell, on average: 1 without verifying, more where writes are verified",
    at_least(1));
  v("cells_at_once", cells_at_once, "cells of one tile that are written at once; 0: all of a token", at_least(0));
  v("scale", scale,
    "which value is the largest conductance. calibrated: one per head from the calibration samples; own: the largest "
    "of each column as written");
}

}  // namespace tellegen::mapping
