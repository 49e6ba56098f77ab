#include "tellegen/sim/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/sim/report/layer_names.h"
#include "tellegen/sim/report/ledger_numbers.h"
#include "tellegen/sim/report/programming_numbers.h"
#include "tellegen/sim/report/signal_numbers.h"
#include "tellegen/sim/report/wear_numbers.h"

namespace tellegen::report {
namespace {

std::string converter_text(const char* name, const circuits::Resolution& bits) {
  return bits.ideal() ? std::string("ideal ") + name : fmt::format("{}-bit {}", bits.bits, name);
}

std::string title_of(const sim::RunResult& result) {
  const mapping::ChipConfig& chip = result.config.chip;
  const double age_s = chip.device.conditions.age.si();
  const std::string age = age_s == 0 ? "fresh" : format_quantity(age_s, Time::dimension) + " old";
  return fmt::format("{} on {} x {} {} tiles, {}, {}, {}", result.config.name, chip.tile.rows, chip.tile.columns,
                     chip.device.model, converter_text("DAC", chip.dac.bits), converter_text("ADC", chip.adc.bits),
                     age);
}

std::string sample_of(const sim::RunResult& result) {
  const bool known = result.workload != nullptr && result.workload->data.set != nullptr;
  return known ? result.workload->data.set->sample_name() : Report{}.sample;
}

std::string extent_of(const sim::RunResult& result, std::size_t chips) {
  return fmt::format("{} chip{}, {} {}{}, seed {}", chips, chips == 1 ? "" : "s", result.samples, sample_of(result),
                     result.samples == 1 ? "" : "s", result.config.evaluate.seed);
}

/// Rows of the plan first; a ledger may also name what belongs to no matrix layer.
std::vector<std::string> layer_names_of(const sim::RunResult& result) {
  std::vector<std::string> names;
  for (std::size_t l = 0; l < mapping::row_count(result.plan); ++l)
    names.push_back(mapping::row_of(result.plan, l).name);
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const sim::EnergyRow& row : result.ledger.energy) add(row.layer);
  for (const sim::AreaRow& row : result.ledger.area) add(row.layer);
  return names;
}

std::vector<std::string> components_of(const sim::Ledger& ledger) {
  std::vector<std::string> components;
  const auto add = [&components](const std::string& name) {
    if (std::find(components.begin(), components.end(), name) == components.end()) components.push_back(name);
  };
  for (const sim::EnergyRow& row : ledger.energy) add(row.component);
  for (const sim::AreaRow& row : ledger.area) add(row.component);
  return components;
}

}  // namespace

std::vector<ReportLayer> report_layers(const sim::RunResult& result) {
  const std::vector<std::string> names = layer_names_of(result);
  const std::vector<std::string> ids = layer_ids(names);
  std::vector<ReportLayer> layers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool planned = i < mapping::row_count(result.plan);
    layers.push_back({ids[i], names[i], planned ? mapping::row_of(result.plan, i).label : ""});
  }
  return layers;
}

std::vector<NamedCount> named_counts(const sim::LayerEvents& events) {
  const auto whole = [](const char* name, const char* unit, std::int64_t value) {
    return NamedCount{name, unit, static_cast<double>(value), true};
  };
  std::vector<NamedCount> counts = {whole("images", "1", events.images),
                                    whole("products", "1", events.products),
                                    whole("dac_drives", "1", events.dac_drives),
                                    whole("gates", "1", events.gates),
                                    whole("amplified", "1", events.amplified),
                                    whole("conversions", "1", events.conversions),
                                    whole("clipped", "1", events.clipped),
                                    whole("ramp_steps", "1", events.ramp_steps),
                                    whole("shift_adds", "1", events.shift_adds),
                                    whole("scalings", "1", events.scalings),
                                    whole("not_finite", "1", events.not_finite),
                                    whole("cell_writes", "1", events.cell_writes),
                                    whole("buffer_read_bits", "bit", events.buffer_read_bits),
                                    whole("buffer_write_bits", "bit", events.buffer_write_bits),
                                    {"drive_V2", "V2", events.drive_V2, false},
                                    {"cell_energy_J", "J", events.cell_energy_J, false}};
  for (const auto& [unit, operations] : events.digital)
    counts.push_back(whole(("digital_" + unit).c_str(), "1", operations));
  return counts;
}

namespace {

/// What a report says before its numbers.
Report headed(const sim::RunResult& result) {
  Report report;
  report.name = result.config.name;
  report.title = title_of(result);
  report.sample = sample_of(result);
  report.source = fmt::format("network {}, test set {}, costs {}", result.config.network.written().string(),
                              result.config.network.data.string(), result.config.costs.adc);
  report.version = result.version;
  report.config_hash = result.hash;
  report.config_yaml = result.resolved_yaml;
  report.seed = result.config.evaluate.seed;
  report.log = result.log;
  report.layers = report_layers(result);
  report.edges = result.edges;
  report.components = components_of(result.ledger);
  return report;
}

void add_costs(const sim::RunResult& result, Report& report) {
  add_plan_numbers(result, report);
  add_energy(result, report);
  add_area(result, report);
  add_latency(result, report);
  add_wear(result, report);
  add_throughput(result, report);
}

}  // namespace

Report make_report(const sim::RunResult& result) {
  Report report = headed(result);
  report.extent = extent_of(result, result.chips.size());
  add_counts(result, report);
  add_accuracy(result, report);
  add_metrics(result, report);
  add_signals(result, report);
  add_programming(result, report);
  add_costs(result, report);
  return report;
}

Report make_plan_report(const sim::RunResult& result) {
  Report report = headed(result);
  report.extent = extent_of(result, static_cast<std::size_t>(result.config.evaluate.chips)) + ", no inference";
  add_counts(result, report);
  add_costs(result, report);
  return report;
}

}  // namespace tellegen::report
