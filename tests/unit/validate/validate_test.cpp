// Published macros through plan, count and price.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <set>

#include "tellegen/sim/validate/validation.h"

namespace tellegen::sim {
namespace {

using testing::HasSubstr;
using testing::StrEq;
using testing::ThrowsMessage;

const std::filesystem::path kMacros = TELLEGEN_SOURCE_DIR "/configs/macros";
const std::filesystem::path kCosts = TELLEGEN_SOURCE_DIR "/configs/costs";

const Validation& published() {
  static const Validation validation = validate(kMacros, kCosts);
  return validation;
}

std::vector<const ValidationRow*> rows_of(const std::string& source) {
  std::vector<const ValidationRow*> rows;
  for (const ValidationRow& row : published().rows) {
    if (row.source == source) rows.push_back(&row);
  }
  return rows;
}

TEST(Validation, TwelveMacrosOfWhichNineAreAnalog) {
  std::set<std::string> all, analog;
  for (const ValidationRow& row : published().rows) {
    all.insert(row.macro);
    if (row.analog) analog.insert(row.macro);
  }
  EXPECT_GE(all.size(), 12U);
  EXPECT_GE(analog.size(), 9U);
}

TEST(Validation, EveryMacroHasASourceThatIsListed) {
  circuits::SourceList sources;
  read_config(kCosts / "sources.yaml", sources);
  for (const ValidationRow& row : published().rows) {
    const auto& list = sources.sources;
    EXPECT_TRUE(std::ranges::any_of(list, [&](const auto& s) { return s.key == row.source; })) << row.macro;
  }
}

// Ten precisions of an integrating macro, one constant fitted: as good as the best published simulator.
TEST(Validation, TenPrecisionsOfAnIntegratingMacro) {
  const auto rows = rows_of("WAN22");
  ASSERT_EQ(rows.size(), 10U);
  double energy = 0, throughput = 0;
  for (const ValidationRow* row : rows) {
    const double energy_error = std::abs(1 / *row->ratios.energy - 1);  // of TOPS/W
    const double throughput_error = std::abs(*row->ratios.throughput - 1);
    EXPECT_LE(energy_error, 0.12) << row->point;
    EXPECT_LE(throughput_error, 0.12) << row->point;
    energy += energy_error / 10;
    throughput += throughput_error / 10;
  }
  EXPECT_LE(energy, 0.05);
  EXPECT_LE(throughput, 0.05);
}

// Steps, energies and times of the rules evaluated apart (neurons: integration 0.25, sample 1.2, conversion 0.4 pJ per step; word
// line 585.6 fF at 1.8 V per magnitude bit; 48 cores of 65536 operations).
TEST(Validation, RulesOfTheIntegratingMacroByHand) {
  std::ifstream file(TELLEGEN_SOURCE_DIR "/tests/data/costs/integrating_macro.csv");
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  const auto rows = rows_of("WAN22");
  std::size_t at = 0;
  double in, out, m, phases, steps, conversions, neuron_pJ, line_pJ, time_us, tops;
  for (; std::getline(file, line); ++at) {
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &in, &out, &m, &phases, &steps,
                          &conversions, &neuron_pJ, &line_pJ, &time_us, &tops),
              10);
    BitPlanes planes;
    planes.input_bits = static_cast<int>(in);
    planes.output_bits = static_cast<int>(out);
    EXPECT_EQ(planes.magnitude_bits(), m);
    EXPECT_EQ(static_cast<double>(planes.phases().size()), phases);
    EXPECT_EQ(planes.integration_steps(), steps);
    EXPECT_EQ(planes.conversion_steps(), conversions);
    const MacroFigures& ours = rows.at(at)->ours;
    const double neurons = 48 * 256;
    EXPECT_NEAR(ours.energy_J.typical / neurons * 1e12, neuron_pJ + line_pJ + 0.97 * m, 2e-4 * line_pJ);
    EXPECT_NEAR(ours.time_s * 1e6, time_us, 1e-9);
    EXPECT_NEAR(ours.tops(), tops, 1e-5 * tops);
  }
  EXPECT_EQ(at, 8U);
}

// Ours over published, per operation, from the figures as they are.
TEST(Validation, RatiosAndBandsFollowFromTheFigures) {
  int with_area = 0, inside = 0, outside = 0;
  for (const ValidationRow& row : published().rows) {
    SCOPED_TRACE(row.macro + ", " + row.point);
    const double operations = row.ours.operations;
    if (row.published.tops_per_watt) {
      const double published_J = operations / *row.published.tops_per_watt * 1e-12;
      EXPECT_NEAR(row.ratios.energy.value(), row.ours.energy_J.typical / published_J, 1e-9 * *row.ratios.energy);
      const bool in_band = row.ours.energy_J.low <= published_J && published_J <= row.ours.energy_J.high;
      EXPECT_EQ(row.energy_in_band, in_band);
      ++(in_band ? inside : outside);
    }
    if (row.published.tops) {
      const double published_s = operations / *row.published.tops * 1e-12;
      EXPECT_NEAR(row.ratios.throughput.value(), published_s / row.ours.time_s, 1e-9 * *row.ratios.throughput);
    }
    if (!row.published.area && !(row.published.tops && row.published.tops_per_mm2)) {
      EXPECT_FALSE(row.ratios.area);
      continue;
    }
    const double published_m2 =
        row.published.area ? row.published.area->si() : *row.published.tops / *row.published.tops_per_mm2 * 1e-6;
    EXPECT_NEAR(row.ratios.area.value(), row.ours.area_m2.typical / published_m2, 1e-9 * *row.ratios.area);
    ++with_area;
  }
  EXPECT_GT(with_area, 0);
  EXPECT_GT(inside, 0);
  EXPECT_GT(outside, 0);
}

// A part's price times x moves the total by its actions times the difference.
TEST(Validation, TotalsAreTheSumsOfTheirRows) {
  for (const ValidationRow& row : published().rows) {
    double energy = 0, area = 0;
    for (const MacroRow& part : row.ours.rows) {
      energy += part.actions * part.price.energy_J.typical;
      area += part.instances * part.price.area_m2.typical;
    }
    EXPECT_NEAR(row.ours.energy_J.typical, energy, 1e-12 * energy) << row.macro;
    EXPECT_NEAR(row.ours.area_m2.typical, area, 1e-12 * area) << row.macro;
    EXPECT_LE(row.ours.energy_J.low, row.ours.energy_J.typical);
    EXPECT_LE(row.ours.energy_J.typical, row.ours.energy_J.high);
  }
}

// The published figures agree with themselves: operations over time, where the file gives the cycle.
TEST(Validation, OperationsOfAMacroFollowFromItsProduct) {
  const auto rows = rows_of("JIA20");
  EXPECT_DOUBLE_EQ(rows.at(0)->ours.operations, 2.0 * 2304 * 256);
  EXPECT_NEAR(rows.at(0)->ours.tops(), 0.87381, 1e-4);
}

std::filesystem::path small_file(const std::filesystem::path& folder, const std::string& more,
                                 const std::string& point = "name: one") {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "macro.yaml")
      << "name: small\nsource: ISAAC\noperation: {inputs: 4, outputs: 3, arrays: 5}\n"
         "cells: {capacitance: 2 fF}\nactivity: {drive: 0.5, cells: 0.25}\n"
         "chip:\n  node: 32 nm\n  tile: {rows: 4, columns: 3, encoding: offset}\n"
         "  dac: {kind: one_bit, bits: 2, streaming: bit_serial, v_read: 0.5 V, pulse: 10 ns}\n"
         "  adc: {columns_per_adc: 3, rate: 100 MHz}\n" +
             more + "points: [{" + point + "}]\n";
  return folder / "macro.yaml";
}

Macro small_macro(const std::string& more) {
  return read_macro(small_file(std::filesystem::path(testing::TempDir()) / "small_macro", more));
}

TEST(Validation, FactorsOfTheCalibratedRunActOnItAlone) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "calibrated_macro";
  small_file(folder, "components: [adc]\ncalibrated:\n  costs.energy_scale.adc: 0.5\n  costs.area_scale.adc: 4\n",
             "name: slow, set: {chip.adc.rate: 50 MHz}, published: {tops: 0.001, tops_per_watt: 2, area: 0.01 mm2}");
  Validation validation = validate(folder, kCosts);
  ASSERT_EQ(validation.rows.size(), 1U);
  const ValidationRow& row = validation.rows[0];
  EXPECT_NEAR(row.ours.time_s, 2 * 60e-9, 1e-18);  // with the settings of the point
  EXPECT_DOUBLE_EQ(row.calibrated.energy.value(), 0.5 * row.ratios.energy.value());
  EXPECT_DOUBLE_EQ(row.calibrated.area.value(), 4 * row.ratios.area.value());
  EXPECT_DOUBLE_EQ(row.calibrated.throughput.value(), row.ratios.throughput.value());
  EXPECT_EQ(row.factors, "costs.energy_scale.adc 0.5, costs.area_scale.adc 4");
  EXPECT_DOUBLE_EQ(summarise(validation, "area", true, false).mean, std::abs(*row.calibrated.area - 1));
}

// 4 rows x 3 columns x 2 slices x 5 arrays of 2 fF at 0.5 V, half of the drives, a quarter of the capacitance; 3 columns share a
// converter of 10 ns: 30 ns per slice.
TEST(MacroFigures, CellsConversionsAndTimeByHand) {
  const MacroFigures figures = macro_figures(small_macro("components: [cells, adc]\n"), kCosts);
  ASSERT_EQ(figures.rows.size(), 2U);
  EXPECT_NEAR(figures.rows[0].actions, 4 * 3 * 2 * 5 * 2e-15 * 0.25 * 0.5 * 0.25, 1e-24);
  EXPECT_EQ(figures.rows[1].actions, 3 * 2 * 5);
  EXPECT_EQ(figures.rows[1].instances, 5);
  EXPECT_NEAR(figures.time_s, 2 * 30e-9, 1e-18);
  EXPECT_EQ(figures.operations, 2 * 4 * 3 * 5);
}

TEST(MacroFigures, PartsActWhereTheySay) {
  const MacroFigures figures = macro_figures(
      small_macro("components: []\nparts:\n  - {entry: horowitz_add_8, per: mac, count: 2, instances: array}\n"
                  "  - {entry: horowitz_add_8, per: drive}\n  - {entry: horowitz_add_8, per: row}\n"),
      kCosts);
  EXPECT_EQ(figures.rows[0].actions, 2 * 12 * 5);
  EXPECT_EQ(figures.rows[0].instances, 2 * 5);
  EXPECT_EQ(figures.rows[1].actions, 4 * 2 * 5);
  EXPECT_EQ(figures.rows[2].actions, 4 * 5);
}

TEST(MacroFigures, WrongFilesAreRefused) {
  EXPECT_THAT([] { macro_figures(small_macro("components: [adcs]\n"), kCosts); },
              ThrowsMessage<InputError>(
                  StrEq("macro 'small': components has 'adcs', which is not a component of the ledger.")));
  EXPECT_THAT([] { macro_figures(small_macro("parts: [{entry: horowitz_add_9, per: mac}]\n"), kCosts); },
              ThrowsMessage<InputError>(HasSubstr("'horowitz_add_9' is not an entry of the cost tables")));
  EXPECT_THAT(
      [] { macro_figures(small_macro("parts: [{entry: horowitz_add_8, per: mac, times: magnitude_bits}]\n"), kCosts); },
      ThrowsMessage<InputError>(StrEq("macro 'small': a part acts once per bit plane, but bit_planes is missing.")));
  Macro large = small_macro("");
  large.operation.outputs = 4;
  EXPECT_THAT([&] { macro_figures(large, kCosts); },
              ThrowsMessage<RefusedError>(StrEq(
                  "The product of 4 by 4 of 'small' takes 2 arrays. Make chip.tile as large as the product; further "
                  "arrays are operation.arrays.")));
  EXPECT_THAT([] { small_macro("flagged: [power]\n"); },
              ThrowsMessage<ConfigError>(HasSubstr("flagged must be of energy, area, throughput.")));
}

ValidationRow row_of(const std::string& macro, double energy) {
  ValidationRow row;
  row.macro = macro;
  row.ratios.energy = energy;
  return row;
}

TEST(Validation, MeansLeaveOutWhatIsMarkedAndCountEachMacroOnce) {
  Validation validation;
  validation.rows = {row_of("a", 1.2), row_of("a", 0.6), row_of("b", 2),
                     row_of("c", 10),  row_of("d", 9),   row_of("e", 8)};
  validation.rows[3].flagged = {"energy"};
  validation.rows[4].simulated = true;
  validation.rows[5].unverified = true;
  const ErrorSummary verified = summarise(validation, "energy", false, false);
  EXPECT_EQ(verified.macros, 2);
  EXPECT_NEAR(verified.mean, (0.3 + 1) / 2, 1e-12);
  EXPECT_NEAR(verified.worst, 1, 1e-12);
  EXPECT_EQ(verified.worst_macro, "b, ");
  EXPECT_EQ(summarise(validation, "energy", false, true).macros, 3);
  validation.rows[2].fitted = true;
  EXPECT_EQ(summarise(validation, "energy", false, false).macros, 1);
  EXPECT_EQ(summarise(validation, "area", false, true).macros, 0);
}

TEST(Validation, AFolderWithoutMacrosIsRefused) {
  EXPECT_THAT([] { validate("nowhere", kCosts); },
              ThrowsMessage<InputError>(
                  StrEq("'nowhere' is not a folder; macros are YAML files in a folder, for example configs/macros.")));
  const std::filesystem::path empty = std::filesystem::path(testing::TempDir()) / "no_macros";
  std::filesystem::create_directories(empty);
  EXPECT_THAT([&] { validate(empty, kCosts); },
              ThrowsMessage<InputError>(HasSubstr("holds no macro; macros are files that end in .yaml.")));
}

TEST(Validation, TheTableSaysWhatIsMarkedAndLeavesBlankWhatIsNotPublished) {
  const std::string table = validation_table(published());
  EXPECT_THAT(table, HasSubstr("energy flagged"));
  EXPECT_THAT(table, HasSubstr("simulated, unverified"));
  EXPECT_THAT(table, HasSubstr("Factors of the calibrated runs:"));
  for (const ValidationRow& row : published().rows) {
    EXPECT_EQ(row.ratios.throughput.has_value(), row.published.tops.has_value());
    EXPECT_EQ(row.ratios.energy.has_value(), row.published.tops_per_watt.has_value());
  }
  const std::string csv = validation_csv(published());
  EXPECT_EQ(std::ranges::count(csv, '\n'), static_cast<std::ptrdiff_t>(published().rows.size()) + 1);
}

}  // namespace
}  // namespace tellegen::sim
