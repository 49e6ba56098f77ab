#include "tellegen/mapping/chip.h"

#include <fmt/format.h>

#include <array>

namespace tellegen::mapping {

std::span<const std::pair<Compensation, const char*>> enum_names(Compensation) {
  static constexpr std::array names{std::pair{Compensation::none, "none"},
                                    std::pair{Compensation::per_layer, "per_layer"},
                                    std::pair{Compensation::per_column, "per_column"}};
  return names;
}
std::span<const std::pair<Fidelity, const char*>> enum_names(Fidelity) {
  static constexpr std::array names{std::pair{Fidelity::ideal, "ideal"}, std::pair{Fidelity::functional, "functional"},
                                    std::pair{Fidelity::circuit, "circuit"}};
  return names;
}

std::span<const std::pair<NoiseThroughWires, const char*>> enum_names(NoiseThroughWires) {
  static constexpr std::array names{std::pair{NoiseThroughWires::fast, "fast"},
                                    std::pair{NoiseThroughWires::exact, "exact"}};
  return names;
}

void TileConfig::settings(Settings& v) {
  v("rows", rows, "word lines of a tile: inputs", between(1, 65536));
  v("columns", columns, "bit lines of a tile: cells of outputs, and references", between(1, 65536));
  encoding.settings(v);
  const int references = reference_columns(encoding);
  v.require(columns >= columns_per_output(encoding) + references, "columns",
            fmt::format("= '{}' has no room for an output of {} cells and {} reference columns; make the tile wider, "
                        "or slices fewer.",
                        columns, columns_per_output(encoding), references));
}

void CrossbarConfig::settings(Settings& v) {
  v("fidelity", fidelity,
    "ideal: cells hold what they are told; functional: with the device's programming and read statistics; circuit: "
    "with the resistance of the wires as well, solved exactly");
  wires.settings(v);
  v("read_noise", read_noise,
    "with wires: fast draws one normal per output, outputs independent; exact draws every cell, outputs correlated as "
    "they are (small tiles)");
  v("cell_area_F2", cell_area_F2, "footprint of a cell in squared feature sizes; one transistor, one resistor: 48",
    positive());
}

std::span<const std::pair<Boundary, const char*>> enum_names(Boundary) {
  static constexpr std::array names{
      std::pair{Boundary::digital, "digital"}, std::pair{Boundary::tg_after_dac, "tg_after_dac"},
      std::pair{Boundary::nonlinear_adc, "nonlinear_adc"}, std::pair{Boundary::analog, "analog"}};
  return names;
}

void EdgeSetting::settings(Settings& v) {
  v("layer", layer, "name of the layer that the values go into", required());
  v("boundary", boundary, "how they get there", required());
}

void ChipConfig::settings(Settings& v) {
  v("node", node, "technology node of the periphery", between(Length::si(3e-9), Length::si(1e-6)));
  v("tiles", tiles, "how many tiles the chip has; none: as many as needed", between(1, 1e6));
  v.section("tile", tile, "one crossbar and how weights lie on it");
  v.section("device", device, "the memory cell");
  v.section("crossbar", crossbar, "the array of cells");
  v.section("dac", dac, "the converters of the rows");
  v.section("adc", adc, "the converters of the columns");
  v.section("nonlinear_adc", nonlinear_adc, "how converters compute activations, where a boundary is nonlinear_adc");
  v("drift_compensation", drift_compensation, "digital factor against drift, found with the calibration samples");
  v("boundary", boundary,
    "how values cross from layer to layer. digital: ADC, digital activation, DAC; tg_after_dac: ADC, DAC, threshold "
    "gate; nonlinear_adc: ADC that computes the activation, DAC; analog: amplifier, threshold gate");
  v.list_of_sections("edges", edges, "layers with another boundary in front of them");
  v.section("crossing", crossing, "the amplifier behind the columns, where a boundary is analog");
  v.section("front_end", front_end, "the circuit in front of the rows, where a boundary has threshold gates");
  v.section("analog_units", analog_units,
            "circuits between a DAC and an ADC for gates of feed-forwards, other activations and softmax");
  v.section("attention", attention, "products of two computed matrices: digital, or on tiles that are rewritten");
  v.section("interconnect", interconnect, "what carries data between tiles and from off the chip");
  const int cell_levels = tile.encoding.cell_levels;
  const int device_levels = cell_levels == 0 ? 0 : device.make()->levels();  // analog cells ask nothing of a device
  v.require(
      device_levels == 0 || cell_levels <= device_levels, "tile",
      fmt::format(
          "needs cells with {} levels (cell_levels), and the device has {}; take fewer cell_levels and more slices.",
          cell_levels, device_levels));
  require_attention(v);
}

void ChipConfig::require_attention(Settings& v) const {
  if (attention.products == MatrixProducts::digital) return;
  v.require(crossbar.fidelity != Fidelity::circuit, "attention",
            "on crossbars works without the resistance of wires: cells change with every input. Set crossbar.fidelity: "
            "functional or ideal, or attention.products: digital.");
  v.require(attention.device.iv.law == devices::CellLawKind::ohmic, "attention",
            "on crossbars works with cells that follow Ohm's law. Set attention.device.iv.law: ohmic.");
  v.require(adc.range.method != circuits::RangeMethod::analytic, "attention",
            "on crossbars finds the range of its ADCs from samples. Set adc.range.method: max, percentile or mse.");
  const int levels = tile.encoding.cell_levels == 0 ? 0 : attention.device.make()->levels();
  v.require(levels == 0 || tile.encoding.cell_levels <= levels, "attention",
            fmt::format("needs cells with {} levels (tile.cell_levels), and attention.device has {}.",
                        tile.encoding.cell_levels, levels));
}

ChipConfig attention_chip(const ChipConfig& chip) {
  ChipConfig seen = chip;
  seen.tile.rows = chip.attention.rows.value_or(chip.tile.rows);
  seen.tile.columns = chip.attention.columns.value_or(chip.tile.columns);
  seen.device = chip.attention.device;
  seen.crossbar.cell_area_F2 = chip.attention.cell_area_F2;
  return seen;
}

void ChipFile::settings(Settings& v) { v.section("chip", chip, "everything about the hardware"); }

ChipConfig read_chip(const std::filesystem::path& file, const Overrides& overrides) {
  ChipFile content;
  read_config(file, content, overrides);
  return content.chip;
}

}  // namespace tellegen::mapping
