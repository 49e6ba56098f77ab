#include "tellegen/sim/report/report_text.h"

#include <fmt/format.h>

#include <cmath>

#include "tellegen/base/output_file.h"
#include "tellegen/sim/report/boundaries.h"
#include "tellegen/sim/report/json_text.h"
#include "tellegen/sim/report/value_text.h"

namespace tellegen::report {
namespace {

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const NumberInput& input) {
  Json json = {{"name", input.name}, {"value", finite(input.value)}, {"unit", input.unit}};
  if (!input.id.empty()) json["number"] = input.id;
  return json;
}

Json json_of(const Number& number) {
  Json inputs = Json::array();
  for (const NumberInput& input : number.inputs) inputs.push_back(json_of(input));
  return {{"id", number.id},
          {"title", number.title},
          {"value", finite(number.value)},
          {"low", finite(number.low)},
          {"high", finite(number.high)},
          {"unit", number.unit},
          {"formula", number.formula},
          {"inputs", inputs},
          {"source", number.source},
          {"warnings", number.warnings}};
}

struct CsvColumn {
  std::string title, quantity, component;  ///< number QUANTITY.LAYER or QUANTITY.LAYER.COMPONENT
  enum class Part { value, low, high } part = Part::value;
};

std::vector<CsvColumn> csv_columns(const Report& report) {
  using Part = CsvColumn::Part;
  std::vector<CsvColumn> columns = {{"tiles", "tiles", ""},   {"utilisation", "utilisation", ""},
                                    {"snr_dB", "snr", ""},    {"clipped", "clipped", ""},
                                    {"faults", "faults", ""}, {"latency_s", "latency", ""}};
  for (const auto& [quantity, unit] : {std::pair{"energy", "J"}, std::pair{"area", "m2"}}) {
    columns.push_back({fmt::format("{}_{}", quantity, unit), quantity, "", Part::value});
    columns.push_back({fmt::format("{}_low_{}", quantity, unit), quantity, "", Part::low});
    columns.push_back({fmt::format("{}_high_{}", quantity, unit), quantity, "", Part::high});
    for (const std::string& component : report.components) {
      if (report.numbers.find(fmt::format("{}.all.{}", quantity, component)) == nullptr) continue;
      columns.push_back({fmt::format("{}_{}_{}", quantity, component, unit), quantity, component, Part::value});
    }
  }
  return columns;
}

std::string csv_value(const Report& report, const ReportLayer& layer, const CsvColumn& column) {
  const std::string id = column.quantity + "." + layer.id + (column.component.empty() ? "" : "." + column.component);
  const Number* number = report.numbers.find(id);
  if (number == nullptr) return "";
  const double value = column.part == CsvColumn::Part::low    ? number->low
                       : column.part == CsvColumn::Part::high ? number->high
                                                              : number->value;
  return csv_number(value);
}

}  // namespace

std::string report_json(const Report& report) {
  Json layers = Json::array();
  for (const ReportLayer& layer : report.layers) {
    layers.push_back({{"id", layer.id}, {"name", layer.name}, {"operation", layer.operation}});
  }
  Json numbers = Json::array();
  for (const Number& number : report.numbers.all()) numbers.push_back(json_of(number));
  Json boundaries = Json::array();
  for (const mapping::Edge& edge : report.edges) boundaries.push_back(json_object(edge_fields(edge)));
  const Json json = {{"name", report.name},
                     {"title", report.title},
                     {"extent", report.extent},
                     {"sample", report.sample},
                     {"source", report.source},
                     {"version", report.version},
                     {"config_hash", report.config_hash},
                     {"seed", report.seed},
                     {"config", report.config_yaml},
                     {"log", report.log},
                     {"layers", layers},
                     {"boundaries", boundaries},
                     {"numbers", numbers}};
  return json_text(json);
}

std::string layers_csv(const Report& report) {
  const std::vector<CsvColumn> columns = csv_columns(report);
  std::string text = "layer,name,operation";
  for (const CsvColumn& column : columns) text += "," + csv_field(column.title);
  text += "\n";
  for (const ReportLayer& layer : report.layers) {
    text += csv_field(layer.id) + "," + csv_field(layer.name) + "," + csv_field(layer.operation);
    for (const CsvColumn& column : columns) text += "," + csv_value(report, layer, column);
    text += "\n";
  }
  return text;
}

}  // namespace tellegen::report
