#include "tellegen/sim/report/map_output.h"

#include <fmt/format.h>

#include "tellegen/base/output_file.h"
#include "tellegen/base/table.h"
#include "tellegen/mapping/plan_table.h"
#include "tellegen/sim/report/boundaries.h"
#include "tellegen/sim/report/json_text.h"
#include "tellegen/sim/report/output_folder.h"
#include "tellegen/sim/report/report_text.h"
#include "tellegen/sim/report/value_text.h"
#include "tellegen/sim/report/work_table.h"

namespace tellegen::report {
namespace {

std::vector<mapping::PlanRow> rows_of(const sim::RunResult& planned) {
  return mapping::plan_rows(planned.plan, planned.workload->network, planned.config.chip);
}

/// What computes products of two computed values.
std::string dynamic_place(const sim::RunResult& planned) {
  return planned.plan.written.empty() ? "digital" : "crossbar";
}

/// The fields of a row in the order of the CSV.
Json json_of(const mapping::PlanRow& row) {
  return {{"layer", row.layer},
          {"operation", row.op},
          {"source", row.source},
          {"slice", row.slice},
          {"tile", row.tile},
          {"row_begin", row.row_begin},
          {"row_end", row.row_end},
          {"output_begin", row.output_begin},
          {"output_end", row.output_end},
          {"rows", row.rows},
          {"columns", row.columns},
          {"utilisation", row.utilisation},
          {"positions", row.positions},
          {"dacs", row.converters.dacs},
          {"lines", row.converters.lines},
          {"adcs", row.converters.adcs}};
}

void write_plan(OutputFolder& output, const sim::RunResult& planned) {
  output.write_text("plan.csv", map_csv(planned));
  output.write_text("plan.json", map_json(planned));
  output.write_text("boundaries.csv", boundary_csv(planned.edges));
}

std::string csv_cell(const Json& value) {
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

}  // namespace

std::string map_table(const sim::RunResult& planned) {
  using Align = Table::Align;
  Table table({{"layer", Align::left},
               {"op", Align::left},
               {"tiles"},
               {"use"},
               {"rows"},
               {"outputs"},
               {"positions"},
               {"products"},
               {"DACs"},
               {"ADCs"}});
  const std::vector<ReportLayer> names = report_layers(planned);
  std::int64_t all_dacs = 0, all_adcs = 0;
  const mapping::ChipConfig rewritten = mapping::attention_chip(planned.config.chip);
  for (std::size_t l = 0; l < mapping::row_count(planned.plan); ++l) {
    const mapping::LayerPlan& layer = mapping::row_of(planned.plan, l);
    const mapping::ChipConfig& chip = l < planned.plan.layers.size() ? planned.config.chip : rewritten;
    std::int64_t dacs = 0, adcs = 0;
    for (const mapping::TileSlice& slice : layer.slices) {
      const mapping::TileConverters used = mapping::used_converters(slice, chip);
      dacs += used.dacs;
      adcs += used.adcs;
    }
    all_dacs += dacs;
    all_adcs += adcs;
    table.row({names[l].id, layer.label, std::to_string(layer.slices.size()),
               value_text(mapping::utilisation(layer, chip), "fraction"), std::to_string(layer.rows()),
               std::to_string(layer.outputs()), std::to_string(layer.positions),
               std::to_string(layer.positions * layer.outputs() * layer.rows_per_group), std::to_string(dacs),
               std::to_string(adcs)});
  }
  table.rule();
  table.row({"total", "", std::to_string(planned.plan.tiles), "", "", "", "", std::to_string(planned.macs_per_image),
             std::to_string(all_dacs), std::to_string(all_adcs)});
  const std::string boundaries = planned.edges.empty() ? "" : "\n" + boundary_table(planned.edges);
  return table.text() + "\n" + work_table(planned.workload->network, dynamic_place(planned)) + boundaries;
}

std::string map_csv(const sim::RunResult& planned) {
  std::string text;
  const Json names = json_of(mapping::PlanRow{});
  for (const auto& [name, value] : names.items()) text += (text.empty() ? "" : ",") + name;
  text += "\n";
  for (const mapping::PlanRow& row : rows_of(planned)) {
    std::string line;
    const Json fields = json_of(row);
    for (const auto& [name, value] : fields.items()) line += (line.empty() ? "" : ",") + csv_cell(value);
    text += line + "\n";
  }
  return text;
}

std::string map_json(const sim::RunResult& planned) {
  Json slices = Json::array();
  for (const mapping::PlanRow& row : rows_of(planned)) slices.push_back(json_of(row));
  Json boundaries = Json::array();
  for (const mapping::Edge& edge : planned.edges) boundaries.push_back(json_object(edge_fields(edge)));
  const Json json = {{"name", planned.config.name},
                     {"version", planned.version},
                     {"config_hash", planned.hash},
                     {"tile", {{"rows", planned.config.chip.tile.rows}, {"columns", planned.config.chip.tile.columns}}},
                     {"tiles", planned.plan.tiles},
                     {"work", work_json(planned.workload->network, dynamic_place(planned))},
                     {"slices", slices},
                     {"boundaries", boundaries}};
  return json_text(json);
}

void write_map_output(const std::filesystem::path& folder, const sim::RunResult& planned) {
  OutputFolder output(folder);
  write_plan(output, planned);
  output.commit();
}

void write_map_output(const std::filesystem::path& folder, const sim::RunResult& expected, const Report& report) {
  OutputFolder output(folder);
  write_plan(output, expected);
  output.write_text("energy.json", report_json(report));
  output.write_text("layers.csv", layers_csv(report));
  output.commit();
}

}  // namespace tellegen::report
