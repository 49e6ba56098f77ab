#include "tellegen/sim/validate/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tellegen::sim {
namespace {

std::optional<double> published_area_mm2(const PublishedFigures& published) {
  if (published.area) return published.area->si() * 1e6;
  if (published.tops && published.tops_per_mm2) return *published.tops / *published.tops_per_mm2;
  return std::nullopt;
}

Ratios ratios_of(const MacroFigures& ours, const PublishedFigures& published) {
  Ratios ratios;
  if (published.tops_per_watt) ratios.energy = *published.tops_per_watt / ours.tops_per_watt();
  if (const auto area = published_area_mm2(published)) ratios.area = ours.area_m2.typical * 1e6 / *area;
  if (published.tops) ratios.throughput = ours.tops() / *published.tops;
  return ratios;
}

MacroSettings joined(MacroSettings base, const MacroSettings& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

bool is_in_band(const circuits::Band& ours, const std::optional<double>& ratio) {
  if (!ratio) return false;
  const double published = ours.typical / *ratio;
  return published >= ours.low && published <= ours.high;
}

std::string factors_of(const MacroSettings& settings) {
  std::string text;
  for (const auto& [name, values] : settings) text += (text.empty() ? "" : ", ") + name + " " + values.at(0);
  return text;
}

const std::optional<double>& of_quantity(const Ratios& ratios, const std::string& quantity) {
  if (quantity == "energy") return ratios.energy;
  return quantity == "area" ? ratios.area : ratios.throughput;
}

}  // namespace

Validation validate(const std::filesystem::path& macros, const std::filesystem::path& costs) {
  if (!std::filesystem::is_directory(macros)) {
    throw InputError(fmt::format("'{}' is not a folder; macros are YAML files in a folder, for example configs/macros.",
                                 macros.string()));
  }
  std::vector<std::filesystem::path> files;
  for (const auto& item : std::filesystem::directory_iterator(macros)) {
    if (item.path().extension() == ".yaml") files.push_back(item.path());
  }
  if (files.empty()) {
    throw InputError(fmt::format("'{}' holds no macro; macros are files that end in .yaml.", macros.string()));
  }
  std::ranges::sort(files);
  Validation validation;
  for (const std::filesystem::path& file : files) {
    const Macro macro = read_macro(file);
    for (const MacroPoint& point : macro.points) {
      ValidationRow row;
      row.macro = macro.name;
      row.point = point.name;
      row.source = macro.source;
      row.analog = macro.analog;
      row.simulated = macro.simulated;
      row.unverified = !macro.unverified.empty();
      row.flagged = macro.flagged;
      row.published = point.published;
      row.ours = macro_figures(read_macro(file, point.set), costs);
      row.ratios = ratios_of(row.ours, point.published);
      row.energy_in_band = is_in_band(row.ours.energy_J, row.ratios.energy);
      row.factors = factors_of(macro.calibrated);
      row.fitted = !macro.fitted.empty();
      if (row.fitted) {
        row.factors = macro.fitted;
        row.calibrated = row.ratios;
      }
      if (!macro.calibrated.empty()) {
        const Macro fitted = read_macro(file, joined(point.set, macro.calibrated));
        row.calibrated = ratios_of(macro_figures(fitted, costs), point.published);
      }
      validation.rows.push_back(std::move(row));
    }
  }
  return validation;
}

ErrorSummary summarise(const Validation& validation, const std::string& quantity, bool calibrated,
                       bool with_unverified) {
  std::map<std::string, std::pair<double, int>> errors;
  ErrorSummary summary;
  for (const ValidationRow& row : validation.rows) {
    const bool flagged = std::ranges::find(row.flagged, quantity) != row.flagged.end();
    if (flagged || row.simulated || (row.unverified && !with_unverified) || (row.fitted && !calibrated)) continue;
    const std::optional<double>& ratio = of_quantity(calibrated ? row.calibrated : row.ratios, quantity);
    if (!ratio) continue;
    const double error = std::abs(*ratio - 1);
    errors[row.macro].first += error;
    ++errors[row.macro].second;
    if (error > summary.worst) {
      summary.worst = error;
      summary.worst_macro = row.macro + ", " + row.point;
    }
  }
  summary.macros = static_cast<int>(errors.size());
  for (const auto& [name, sum] : errors) summary.mean += sum.first / sum.second / summary.macros;
  return summary;
}

}  // namespace tellegen::sim
