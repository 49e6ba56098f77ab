#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/output_file.h"
#include "tellegen/base/table.h"
#include "tellegen/sim/validate/validation.h"

namespace tellegen::sim {
namespace {

std::string number(const std::optional<double>& value, const char* form) {
  return value ? fmt::format(fmt::runtime(form), *value) : "";
}

std::string ratio(const std::optional<double>& value) { return number(value, "{:.2f}"); }

/// What keeps a row, or a part of it, out of the means.
std::string marks(const ValidationRow& row) {
  std::vector<std::string> marks;
  if (!row.analog) marks.push_back("digital");
  if (row.simulated) marks.push_back("simulated");
  if (row.unverified) marks.push_back("unverified");
  if (row.fitted) marks.push_back("one constant fitted");
  for (const std::string& quantity : row.flagged) marks.push_back(quantity + " flagged");
  return fmt::format("{}", fmt::join(marks, ", "));
}

std::string summary_line(const Validation& validation, bool calibrated, bool with_unverified) {
  std::string line;
  for (const char* quantity : {"energy", "area", "throughput"}) {
    const ErrorSummary s = summarise(validation, quantity, calibrated, with_unverified);
    line += fmt::format("{}{} mean {:.0f} %, worst {:.0f} % ({}), {} macros", line.empty() ? "" : "; ", quantity,
                        100 * s.mean, 100 * s.worst, s.worst_macro, s.macros);
  }
  return line + ".\n";
}

std::string band_line(const Validation& validation) {
  int inside = 0, all = 0;
  for (const ValidationRow& row : validation.rows) {
    if (!row.ratios.energy || row.simulated || row.fitted) continue;
    ++all;
    inside += row.energy_in_band ? 1 : 0;
  }
  return fmt::format(
      "Published energy lies between our low and high in {} of {} rows of silicon without a fitted constant.\n", inside,
      all);
}

}  // namespace

std::string validation_table(const Validation& validation) {
  Table table({{"macro", Table::Align::left},
               {"point", Table::Align::left},
               {"TOPS/W"},
               {"ours"},
               {"TOPS"},
               {"ours"},
               {"E ratio"},
               {"area"},
               {"speed"},
               {"cal. E"},
               {"cal. area"},
               {"", Table::Align::left}});
  std::string factors, last;
  for (const ValidationRow& row : validation.rows) {
    table.row({row.macro, row.point, number(row.published.tops_per_watt, "{:.4g}"),
               fmt::format("{:.4g}", row.ours.tops_per_watt()), number(row.published.tops, "{:.4g}"),
               fmt::format("{:.4g}", row.ours.tops()), ratio(row.ratios.energy), ratio(row.ratios.area),
               ratio(row.ratios.throughput), ratio(row.calibrated.energy), ratio(row.calibrated.area), marks(row)});
    if (row.macro != last && !row.factors.empty()) factors += fmt::format("  {}: {}\n", row.macro, row.factors);
    last = row.macro;
  }
  return table.text() +
         "\nRatios are ours over published (energy per operation, area, operations per second). Blank: not published.\n"
         "Cycles and windows are settings of the files: speed tests plan and count, and rules where a file has them.\n"
         "Mean and worst of |ratio - 1|, without what is flagged or simulated (uncalibrated: nor fitted):\n" +
         "  uncalibrated, verified figures: " + summary_line(validation, false, false) +
         "  uncalibrated, all silicon:      " + summary_line(validation, false, true) +
         "  calibrated:                     " + summary_line(validation, true, true) + band_line(validation) +
         "Factors of the calibrated runs:\n" + factors;
}

std::string validation_csv(const Validation& validation) {
  std::string csv =
      "macro,point,source,marks,published_tops_per_watt,tops_per_watt,published_tops,tops,energy_J,energy_low_J,"
      "energy_high_J,area_m2,time_s,energy_ratio,area_ratio,throughput_ratio,calibrated_energy_ratio,"
      "calibrated_area_ratio,factors\n";
  for (const ValidationRow& row : validation.rows) {
    csv += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(row.macro), csv_field(row.point),
        row.source, csv_field(marks(row)), number(row.published.tops_per_watt, "{}"), row.ours.tops_per_watt(),
        number(row.published.tops, "{}"), row.ours.tops(), row.ours.energy_J.typical, row.ours.energy_J.low,
        row.ours.energy_J.high, row.ours.area_m2.typical, row.ours.time_s, number(row.ratios.energy, "{}"),
        number(row.ratios.area, "{}"), number(row.ratios.throughput, "{}"), number(row.calibrated.energy, "{}"),
        number(row.calibrated.area, "{}"), csv_field(row.factors));
  }
  return csv;
}

}  // namespace tellegen::sim
