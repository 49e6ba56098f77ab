// tellegen help: the manual of the settings, made from their declarations.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/models/shapes/shape_layer.h"
#include "tellegen/sim/cli/manual.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/compare/comparison.h"
#include "tellegen/sim/report/compare.h"
#include "tellegen/sim/report/sweep.h"

namespace tellegen::cli {
namespace {

void add_topic(CLI::App& help, const std::string& name, const std::string& about, std::vector<ManualRow> (*rows)(),
               std::ostream& out) {
  CLI::App* topic = help.add_subcommand(name, about);
  auto prefix = std::make_shared<std::string>();
  topic->add_option("setting", *prefix, "A setting or a group of settings, for example chip.adc.")
      ->type_name("SETTING");
  topic->callback([prefix, rows, &out] { out << manual_text(rows(), *prefix); });
}

/// The base's manual knows one kind of free mapping; that of `set` has no lists.
std::vector<ManualRow> with_single_values(std::vector<ManualRow> rows) {
  for (ManualRow& row : rows) {
    if (row.path == "set" || row.path == "options[].set") row.kind = "mapping of names to single values";
  }
  return rows;
}

}  // namespace

void add_help(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("help", "Show this help, that of a verb, or the manual of the settings.");
  add_topic(
      *verb, "config", "Settings of an experiment.", [] { return config_manual<sim::ExperimentConfig>(); }, out);
  add_topic(
      *verb, "sweep", "Settings of a sweep.", [] { return with_single_values(config_manual<report::SweepConfig>()); },
      out);
  add_topic(
      *verb, "compare", "Settings of a comparison.",
      [] { return with_single_values(config_manual<report::CompareConfig>()); }, out);
  add_topic(
      *verb, "activations", "Settings of a comparison of activations at equal error.",
      [] { return config_manual<compare::ComparisonConfig>(); }, out);
  add_topic(
      *verb, "shapes", "Settings of a network as shapes alone.", [] { return config_manual<models::ShapeFile>(); },
      out);
  verb->footer(
      "\nExamples:\n"
      "  tellegen help run\n"
      "  tellegen help config\n"
      "  tellegen help config chip.device");
}

}  // namespace tellegen::cli
