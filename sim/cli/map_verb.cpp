// tellegen map: the plan.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/report/map_output.h"
#include "tellegen/sim/report/run_table.h"

namespace tellegen::cli {
namespace {

struct MapOptions : SharedOptions {
  std::filesystem::path experiment;
  bool energy = false;
};

/// The plan with its prices; nothing is inferred. Second moments row by row unless the experiment asks for a histogram.
void map_with_energy(const MapOptions& options, sim::ExperimentConfig config, std::ostream& out) {
  if (config.evaluate.energy == sim::EnergyMethod::trace) config.evaluate.energy = sim::EnergyMethod::row_moments;
  const std::filesystem::path folder =
      options.output_folder(config.name, {"plan.csv", "plan.json", "boundaries.csv", "energy.json", "layers.csv"});
  sim::Session session(configs_folder() / "costs", options.threads);
  const sim::RunResult expected = session.expect(config);
  const report::Report report = report::make_plan_report(expected);
  report::write_map_output(folder, expected, report);
  if (!options.quiet)
    out << report::run_table(report) << "wrote plan.csv, plan.json, boundaries.csv, energy.json, layers.csv to "
        << folder.string() << "\n";
}

void map(const MapOptions& options, std::ostream& out) {
  const sim::ExperimentConfig config = sim::read_experiment(options.experiment, options.overrides());
  if (options.energy) return map_with_energy(options, config, out);
  const std::filesystem::path folder = options.output_folder(config.name, {"plan.csv", "plan.json", "boundaries.csv"});
  sim::Session session(configs_folder() / "costs", 1);
  const sim::RunResult planned = session.plan_only(config);
  report::write_map_output(folder, planned);
  if (!options.quiet)
    out << report::map_table(planned) << "wrote plan.csv, plan.json, boundaries.csv to " << folder.string() << "\n";
}

}  // namespace

void add_map(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("map", "Show which slice of which layer lies on which tile.");
  auto options = std::make_shared<MapOptions>();
  verb->add_option("experiment", options->experiment, "The experiment, a YAML file.")
      ->required()
      ->type_name("EXPERIMENT.yaml");
  verb->add_flag("--energy", options->energy,
                 "Add energy, area and latency, without inference: from statistics of the float network's values.");
  add_output_options(*verb, *options);
  add_thread_option(*verb, *options);
  verb->footer(
      "\nExamples:\n"
      "  tellegen map configs/experiments/fashion_resnet8.yaml\n"
      "  tellegen map configs/experiments/fashion_resnet8.yaml --set chip.tile.rows=256 --out out/tall\n"
      "  tellegen map configs/experiments/fashion_resnet8.yaml --energy --set evaluate.samples=256\n"
      "\nWrites plan.csv and plan.json: layer, slice, tile, rows, columns, utilisation, converters; and "
      "boundaries.csv: how each activation crosses to what reads it, and why. With --energy also energy.json (every "
      "number) and "
      "layers.csv.");
  verb->callback([options, &out] { map(*options, out); });
}

}  // namespace tellegen::cli
