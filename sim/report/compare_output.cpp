#include "tellegen/sim/report/compare_output.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tellegen/base/output_file.h"
#include "tellegen/base/table.h"
#include "tellegen/sim/engine/predictions.h"
#include "tellegen/sim/report/band_text.h"
#include "tellegen/sim/report/json_text.h"
#include "tellegen/sim/report/output_folder.h"

namespace tellegen::report {
namespace {

/// "adc 58 %, activation 3 %, dac 9 %".
std::string shares(const ComparedOption& option, circuits::Band BoundaryPart::*band, const circuits::Band& whole) {
  std::string text;
  for (const BoundaryPart& part : option.parts) {
    if (part.name == "rest") continue;
    const std::string share = share_text((part.*band).typical, whole.typical);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.name, share.empty() ? "0 %" : share);
  }
  return text;
}

Table energy_table(const CompareResult& result) {
  using Align = Table::Align;
  Table table({{"option", Align::left},
               {"ADC + activation + DAC"},
               {"share of energy", Align::left},
               {"energy/image"},
               {"latency"},
               {"accuracy (95 %)"}});
  for (const ComparedOption& option : result.options) {
    const Point& point = option.point;
    if (!point.done()) {
      table.row({option.name, "refused", "", "", "", ""});
      continue;
    }
    table.row({option.name, band_text(option.boundary().energy_J, "J"),
               shares(option, &BoundaryPart::energy_J, point.energy_J), band_text(point.energy_J, "J"),
               value_text(point.latency_s, "s"), interval_text(point.accuracy, sim::metric_kind(point.metric).unit)});
  }
  return table;
}

Table area_table(const CompareResult& result) {
  using Align = Table::Align;
  Table table({{"option", Align::left}, {"ADC + activation + DAC"}, {"share of area", Align::left}, {"area"}});
  for (const ComparedOption& option : result.options) {
    if (!option.point.done()) continue;
    table.row({option.name, band_text(option.boundary().area_m2, "m2"),
               shares(option, &BoundaryPart::area_m2, option.point.area_m2), band_text(option.point.area_m2, "m2")});
  }
  return table;
}

Json json_of(const circuits::Band& band) { return {{"low", band.low}, {"typical", band.typical}, {"high", band.high}}; }

Json json_of(const ComparedOption& option) {
  const Point& point = option.point;
  Json json = {{"name", option.name}};
  if (!point.done()) {
    json["refusal"] = point.refusal;
    return json;
  }
  json["config_hash"] = point.config_hash;
  json["metric"] = point.metric;
  json["accuracy"] = {{"mean", point.accuracy.mean}, {"chips", point.chip_accuracy}};
  if (std::isfinite(point.accuracy.half_width)) json["accuracy"]["half_width_95"] = point.accuracy.half_width;
  json["float_accuracy"] = point.float_accuracy;
  json["energy_J"] = json_of(point.energy_J);
  json["area_m2"] = json_of(point.area_m2);
  json["latency_s"] = point.latency_s;
  Json parts;
  for (const BoundaryPart& part : option.parts)
    parts[part.name] = {{"energy_J", json_of(part.energy_J)}, {"area_m2", json_of(part.area_m2)}};
  json["parts"] = parts;
  for (const auto& [component, band] : point.component_energy_J)
    json["components"][component]["energy_J"] = json_of(band);
  for (const auto& [component, band] : point.component_area_m2)
    json["components"][component]["area_m2"] = json_of(band);
  json["warnings"] = point.warnings;
  return json;
}

}  // namespace

std::string compare_table(const CompareResult& result) {
  std::string text = fmt::format("{}: {} images per option\n\n{}\n{}", result.name, result.images,
                                 energy_table(result).text(), area_table(result).text());
  std::vector<std::string> names;
  for (const ComparedOption& option : result.options) names.push_back(option.name);
  text += refusal_lines(result.point_list(), names);
  std::set<std::string> seen;
  for (const ComparedOption& option : result.options) {
    for (const std::string& warning : option.point.warnings) {
      if (seen.insert(warning).second) text += fmt::format("note ({}): {}\n", option.name, warning);
    }
  }
  return text;
}

std::string compare_csv(const CompareResult& result) {
  std::string text = "option,accuracy_mean,accuracy_half_width,latency_s";
  for (const char* what : {"total", "adc", "activation", "dac", "rest"}) {
    for (const char* quantity : {"energy_J", "area_m2"}) {
      for (const char* level : {"low", "typical", "high"}) text += fmt::format(",{}_{}_{}", what, quantity, level);
    }
  }
  text += ",refusal\n";
  constexpr std::size_t kNumbersPerRow = 3 + 5 * 2 * 3;
  for (const ComparedOption& option : result.options) {
    const Point& point = option.point;
    text += csv_field(option.name);
    if (point.done()) {
      for (const double value : {point.accuracy.mean, point.accuracy.half_width, point.latency_s})
        text += "," + csv_number(value);
      text += csv_band(point.energy_J) + csv_band(point.area_m2);
      for (const BoundaryPart& part : option.parts) text += csv_band(part.energy_J) + csv_band(part.area_m2);
    } else {
      text += std::string(kNumbersPerRow, ',');
    }
    text += "," + csv_field(point.refusal) + "\n";
  }
  return text;
}

std::string compare_json(const CompareResult& result) {
  Json options = Json::array();
  for (const ComparedOption& option : result.options) options.push_back(json_of(option));
  const Json json = {{"name", result.name},        {"version", result.version},
                     {"config_hash", result.hash}, {"config", result.resolved_yaml},
                     {"images", result.images},    {"options", options}};
  return json_text(json);
}

void write_compare_output(const std::filesystem::path& folder, const CompareResult& result) {
  OutputFolder output(folder);
  output.write_text("compare.csv", compare_csv(result));
  output.write_text("compare.json", compare_json(result));
  output.commit();
}

}  // namespace tellegen::report
