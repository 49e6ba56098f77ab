// A comparison of activations for programs: CSV, JSON, and the figure.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tellegen/base/output_file.h"
#include "tellegen/sim/report/activation_table.h"
#include "tellegen/sim/report/band_text.h"
#include "tellegen/sim/report/json_text.h"

namespace tellegen::report {
namespace {

using compare::Comparison;
using compare::Row;

Json json_of(const circuits::Band& band) { return {{"low", band.low}, {"typical", band.typical}, {"high", band.high}}; }

Json json_of(const compare::ComponentCost& part) {
  return {{"component", part.component}, {"energy_J", json_of(part.energy_J)}, {"area_m2", json_of(part.area_m2)},
          {"actions", part.actions},     {"instances", part.instances},        {"source", part.source},
          {"spread", part.spread}};
}

Json json_of(const Row& row) {
  Json json = {{"layer", row.layer},
               {"option", row.option},
               {"asked_error", row.asked_error},
               {"verdict", compare::name_of(row.resized.reached)},
               {"why", row.resized.why}};
  if (!row.has_cost()) return json;
  const compare::Sizes& sizes = row.resized.sizes;
  json["error"] = row.resized.error;
  json["median_error"] = row.resized.median_error;
  json["sizes"] = {{"text", sizes_text(row)},     {"enob", sizes.enob}, {"word_bits", sizes.word_bits},
                   {"segments", sizes.segments},  {"area", sizes.area}, {"multiplier_area", sizes.multiplier_area},
                   {"deviation", sizes.deviation}};
  json["energy_J"] = json_of(row.cost.energy_J);
  json["area_m2"] = json_of(row.cost.area_m2);
  json["latency_s"] = row.cost.latency_s;
  for (const auto& part : row.cost.components) json["components"].push_back(json_of(part));
  json["warnings"] = row.cost.warnings;
  return json;
}

constexpr double kPicojoules = 1e12, kSquareMicrons = 1e12;

/// A point with bars of its spread. Lines break at what is not a number.
void add_point(const Row& row, int colour, plot::Panel& panel) {
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  const circuits::Band e = kPicojoules * row.cost.energy_J, a = kSquareMicrons * row.cost.area_m2;
  panel.series.push_back({.name = "",
                          .x = {e.low, e.high, kGap, e.typical, e.typical},
                          .y = {a.typical, a.typical, kGap, a.low, a.high},
                          .style = plot::Style::line,
                          .colour = colour});
  const std::string mark = row.comparable() ? "" : fmt::format(" ({:.2g} %)", 100 * row.resized.error);
  panel.series.push_back(
      {.name = row.option + mark, .x = {e.typical}, .y = {a.typical}, .style = plot::Style::points, .colour = colour});
}

}  // namespace

std::string activation_csv(const Comparison& comparison) {
  std::string text = "layer,option,asked_error,verdict,error,median_error,sizes";
  for (const char* quantity : {"energy_J", "area_m2"}) {
    for (const char* level : {"low", "typical", "high"}) text += fmt::format(",{}_{}", quantity, level);
  }
  text += ",latency_s,why\n";
  constexpr std::size_t kNumbersPerRow = 3 + 2 * 3 + 1;
  for (const Row& row : comparison.rows) {
    text += csv_field(row.layer) + "," + csv_field(row.option) + "," + csv_number(row.asked_error) + "," +
            compare::name_of(row.resized.reached);
    if (row.has_cost()) {
      text += "," + csv_number(row.resized.error) + "," + csv_number(row.resized.median_error) + "," +
              csv_field(sizes_text(row)) + csv_band(row.cost.energy_J) + csv_band(row.cost.area_m2) + "," +
              csv_number(row.cost.latency_s);
    } else {
      text += std::string(kNumbersPerRow, ',');
    }
    text += "," + csv_field(row.resized.why) + "\n";
  }
  return text;
}

std::string activation_json(const Comparison& comparison) {
  Json json = {{"name", comparison.name},
               {"version", comparison.version},
               {"config_hash", comparison.hash},
               {"config", comparison.resolved_yaml}};
  json["rows"] = Json::array();
  for (const Row& row : comparison.rows) json["rows"].push_back(json_of(row));
  json["totals"] = Json::array();
  for (const auto& total : comparison.totals)
    json["totals"].push_back({{"option", total.option},
                              {"asked_error", total.asked_error},
                              {"comparable", total.comparable},
                              {"energy_J", json_of(total.energy_J)},
                              {"area_m2", json_of(total.area_m2)},
                              {"latency_s", total.latency_s}});
  json["break_even"] = Json::array();
  for (const auto& point : comparison.break_even)
    json["break_even"].push_back({{"layer", point.layer},
                                  {"option", point.option},
                                  {"rival", point.rival},
                                  {"asked_error", point.asked_error},
                                  {"of", point.of},
                                  {"quantity", point.quantity},
                                  {"value", point.value},
                                  {"cheaper_below", point.cheaper_below}});
  return json_text(json);
}

plot::Figure activation_figure(const Comparison& comparison) {
  plot::Figure figure{comparison.name + " (bars: low to high of the sources)", {}};
  const std::string& layer = comparison.config.layers.front().name;
  for (const double asked : comparison.config.errors) {
    plot::Panel panel{fmt::format("{}, error {:.3g} %", layer, 100 * asked),
                      {"energy per activation", "pJ", true, false},
                      {"area per lane", "um2", true, false}};
    int colour = 0;
    for (const Row& row : comparison.rows) {
      if (row.layer != layer || row.asked_error != asked) continue;
      if (row.has_cost()) add_point(row, colour, panel);
      ++colour;
    }
    if (!panel.series.empty()) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace tellegen::report
