#include "tellegen/sim/report/activation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tellegen/base/table.h"
#include "tellegen/sim/report/band_text.h"
#include "tellegen/sim/report/output_folder.h"
#include "tellegen/sim/report/plot/gnuplot.h"

namespace tellegen::report {
namespace {

using compare::BreakEven;
using compare::Comparison;
using compare::PathKind;
using compare::Row;
using Align = Table::Align;

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

/// Typical shares of the whole, largest first, those of a per cent or more.
std::string shares(const Row& row, circuits::Band compare::ComponentCost::*band, double whole) {
  std::map<std::string, double> by_name;
  for (const auto& part : row.cost.components) by_name[part.component] += (part.*band).typical;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [name, value] : by_name) order.emplace_back(-value, name);
  std::sort(order.begin(), order.end());
  std::string text;
  for (const auto& [value, name] : order) {
    if (-value < 0.01 * whole) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, share_text(-value, whole));
  }
  return text;
}

std::string layer_table(const Comparison& comparison, const std::string& layer, double asked) {
  Table table({{"option", Align::left},
               {"error"},
               {"sizes", Align::left},
               {"energy/activation"},
               {"area/lane"},
               {"latency"},
               {"verdict", Align::left}});
  Table parts({{"option", Align::left}, {"of energy", Align::left}, {"of area", Align::left}});
  for (const Row& row : comparison.rows) {
    if (row.layer != layer || row.asked_error != asked) continue;
    const std::string verdict = compare::name_of(row.resized.reached);
    if (!row.has_cost()) {
      table.row({row.option, "", "", "", "", "", verdict});
      continue;
    }
    table.row({row.option, percent(row.resized.error), sizes_text(row), band_text(row.cost.energy_J, "J"),
               band_text(row.cost.area_m2, "m2"), value_text(row.cost.latency_s, "s"), verdict});
    parts.row({row.option, shares(row, &compare::ComponentCost::energy_J, row.cost.energy_J.typical),
               shares(row, &compare::ComponentCost::area_m2, row.cost.area_m2.typical)});
  }
  return fmt::format("{}: allowed error {}\n\n{}\n{}\n", layer, percent(asked), table.text(), parts.text());
}

std::string total_table(const Comparison& comparison) {
  Table table(
      {{"per inference, all layers", Align::left}, {"error"}, {"energy"}, {"area"}, {"latency"}, {"", Align::left}});
  for (const auto& total : comparison.totals) {
    const bool priced = total.area_m2.typical > 0;  // nothing is added for layers that refuse an option
    table.row({total.option, percent(total.asked_error), priced ? band_text(total.energy_J, "J") : "",
               priced ? band_text(total.area_m2, "m2") : "", priced ? value_text(total.latency_s, "s") : "",
               total.comparable ? "" : "not at this error in every layer"});
  }
  return table.text();
}

std::string value_of(const BreakEven& point) {
  if (point.of == "error") return percent(point.value);
  if (point.of == "ADC energy") return fmt::format("{:.3g} x", point.value);
  return fmt::format("{:.3g}", point.value);
}

std::string break_even_table(const Comparison& comparison) {
  if (comparison.break_even.empty()) return "";
  Table table({{"break-even", Align::left},
               {"error"},
               {"of", Align::left},
               {"against", Align::left},
               {"costs less", Align::left},
               {"where", Align::left}});
  for (const BreakEven& point : comparison.break_even)
    table.row({point.layer, percent(point.asked_error), point.option, point.rival, point.quantity,
               fmt::format("{} {} {}", point.of, point.cheaper_below ? "below" : "above", value_of(point))});
  return table.text();
}

std::string notes(const Comparison& comparison) {
  std::string text;
  std::set<std::string> seen;
  for (const Row& row : comparison.rows) {
    const bool refused = row.resized.reached == compare::Reached::refused;
    if (!row.resized.why.empty() && (!refused || seen.insert(row.option + row.resized.why).second))
      text += fmt::format("{} ({}, {}): {}\n", row.option, row.layer, percent(row.asked_error), row.resized.why);
    for (const std::string& warning : row.cost.warnings) {
      if (seen.insert(warning).second) text += fmt::format("note ({}): {}\n", row.option, warning);
    }
  }
  return text;
}

}  // namespace

std::string sizes_text(const Row& row) {
  const compare::Sizes& sizes = row.resized.sizes;
  std::vector<std::string> texts;
  const bool converts = std::any_of(row.cost.components.begin(), row.cost.components.end(), [](const auto& part) {
    return part.component == "adc" || part.component == "output_adc";
  });
  const bool digital = row.path == PathKind::digital || row.path == PathKind::nonlinear_adc;
  if (converts) texts.push_back(fmt::format("ENOB {:.2f}", sizes.enob));
  if (digital) texts.push_back(fmt::format("{}-bit words", sizes.word_bits));
  if (row.path == PathKind::digital && row.lines) texts.push_back(fmt::format("{} segments", sizes.segments));
  if (row.path == PathKind::nonlinear_adc) texts.push_back(fmt::format("references {:.2g} %", 100 * sizes.deviation));
  if (!digital) texts.push_back(fmt::format("area x {:.3g}", sizes.area));
  if (sizes.trim_bits) texts.push_back(fmt::format("{} trim bits", *sizes.trim_bits));
  if (sizes.bias_A) texts.push_back("bias " + value_text(*sizes.bias_A, "A"));
  const bool multiplies = std::any_of(row.cost.components.begin(), row.cost.components.end(),
                                      [](const auto& part) { return part.component == "multiplier"; });
  if (multiplies) texts.push_back(fmt::format("multiplier x {:.3g}", sizes.multiplier_area));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string activation_table(const Comparison& comparison) {
  const compare::ComparisonConfig& config = comparison.config;
  std::string text = fmt::format(
      "{}: {} sampled circuits per option, {} samples per layer, error = 95th percentile of RMS over full scale\n\n",
      comparison.name, config.circuits, config.samples);
  for (const auto& layer : config.layers) {
    for (const double asked : config.errors) text += layer_table(comparison, layer.name, asked);
  }
  return text + total_table(comparison) + "\n" + break_even_table(comparison) + "\n" + notes(comparison);
}

std::vector<std::string> activation_files() { return {"activations.csv", "activations.json", "pareto.svg"}; }

std::string write_activation_output(const std::filesystem::path& folder, const Comparison& comparison) {
  OutputFolder output(folder);
  output.write_text("activations.csv", activation_csv(comparison));
  output.write_text("activations.json", activation_json(comparison));
  const plot::Figure shown = activation_figure(comparison);
  if (shown.panels.empty()) {
    output.commit();
    return "pareto.svg is left out: no option has a price.\n";
  }
  bool drawn = false;
  output.write("pareto.svg",
               [&](const std::filesystem::path& file) { drawn = plot::draw(shown, file) == plot::Drawn::yes; });
  output.commit();
  return drawn ? "" : plot::missing_gnuplot_message(folder / "pareto.svg");
}

}  // namespace tellegen::report
