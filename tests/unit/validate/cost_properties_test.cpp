// What must hold of every total that comes out of plan, count and price.

#include <gtest/gtest.h>

#include "tellegen/sim/validate/macro_figures.h"

namespace tellegen::sim {
namespace {

const std::filesystem::path kCosts = TELLEGEN_SOURCE_DIR "/configs/costs";

/// A chip whose every component is priced.
Macro whole_macro() {
  Macro macro;
  macro.name = "whole";
  macro.operation = {100, 16, 1};
  macro.cells.conductance = Conductance::si(20e-6);
  macro.chip.tile.rows = 128;
  macro.chip.tile.columns = 128;
  macro.components = {"dac", "row_line", "cells", "sample_hold", "adc", "shift_add", "scaling"};
  return macro;
}

const MacroRow& row_of(const MacroFigures& figures, const std::string& part) {
  for (const MacroRow& row : figures.rows) {
    if (row.part == part) return row;
  }
  throw std::out_of_range(part);
}

TEST(CostProperties, AComponentsEnergyMovesTheTotalByItsCount) {
  const MacroFigures plain = macro_figures(whole_macro(), kCosts);
  const std::pair<std::string, double circuits::ComponentScales::*> scaled[] = {
      {"adc", &circuits::ComponentScales::adc},
      {"dac", &circuits::ComponentScales::dac},
      {"row_line", &circuits::ComponentScales::row_line},
      {"cells", &circuits::ComponentScales::cell},
      {"sample_hold", &circuits::ComponentScales::sample_hold}};
  for (const auto& [part, scale] : scaled) {
    Macro macro = whole_macro();
    macro.costs.energy_scale.*scale = 3;
    const MacroFigures tripled = macro_figures(macro, kCosts);
    const MacroRow& row = row_of(plain, part);
    const double expected = 2 * row.actions * row.price.energy_J.typical;
    EXPECT_GT(expected, 0) << part;
    EXPECT_NEAR(tripled.energy_J.typical - plain.energy_J.typical, expected, 1e-12 * plain.energy_J.typical) << part;
    EXPECT_EQ(tripled.area_m2, plain.area_m2) << part;
  }
}

TEST(CostProperties, AreaOfATileIsTheSumOfItsParts) {
  const MacroFigures figures = macro_figures(whole_macro(), kCosts);
  double area = 0;
  for (const MacroRow& row : figures.rows) area += row.instances * row.price.area_m2.typical;
  EXPECT_NEAR(figures.area_m2.typical, area, 1e-12 * area);
  EXPECT_EQ(row_of(figures, "cells").instances, 128 * 128);
  EXPECT_EQ(row_of(figures, "dac").instances, 128);
}

// Other cells need more lines, hence more converters; each is as large as before.
TEST(CostProperties, AreaOfAConverterDoesNotDependOnTheBitsOfACell) {
  const auto adc_area = [](int levels, int slices) {
    Macro macro = whole_macro();
    macro.chip.tile.encoding.cell_levels = levels;
    macro.chip.tile.encoding.slices = slices;
    return row_of(macro_figures(macro, kCosts), "adc").price.area_m2;
  };
  EXPECT_EQ(adc_area(2, 4), adc_area(4, 2));
  EXPECT_EQ(adc_area(4, 2), adc_area(16, 1));
}

}  // namespace
}  // namespace tellegen::sim
