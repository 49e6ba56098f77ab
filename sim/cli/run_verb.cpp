// tellegen run: the main job.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/base/progress_bar.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/report/run_output.h"
#include "tellegen/sim/report/run_table.h"

namespace tellegen::cli {
namespace {

struct RunOptions : SharedOptions {
  std::filesystem::path experiment;
};

void run(const RunOptions& options, std::ostream& out) {
  const sim::ExperimentConfig config = sim::read_experiment(options.experiment, options.overrides());
  const std::filesystem::path folder = options.output_folder(config.name, {"run.h5", "report.json", "layers.csv"});
  sim::Session session(configs_folder() / "costs", options.threads);
  const sim::RunResult result = [&] {
    ProgressBar bar;
    return session.run(config, options.quiet ? Progress{} : bar.callback("infer"));
  }();
  const report::Report report = report::make_report(result);
  report::write_run_output(folder, result, report);
  if (options.quiet) return;
  const std::string shown = folder.string();
  out << report::run_table(report) << "wrote run.h5, report.json, layers.csv to " << shown << "    (tellegen explain "
      << shown << "/run.h5 energy)\n";
}

}  // namespace

void add_run(CLI::App& program, std::ostream& out) {
  CLI::App* verb =
      program.add_subcommand("run", "Run a network on a chip: accuracy, area, energy, latency, layer by layer.");
  auto options = std::make_shared<RunOptions>();
  verb->add_option("experiment", options->experiment, "The experiment, a YAML file.")
      ->required()
      ->type_name("EXPERIMENT.yaml");
  add_output_options(*verb, *options);
  add_thread_option(*verb, *options);
  verb->footer(
      "\nExamples:\n"
      "  tellegen run configs/experiments/fashion_resnet8.yaml\n"
      "  tellegen run configs/experiments/lenet_mnist.yaml --set chip.adc.bits=6 --set evaluate.samples=1000 --out "
      "out/six_bits\n"
      "\nWrites run.h5 (everything), report.json and layers.csv.");
  verb->callback([options, &out] { run(*options, out); });
}

}  // namespace tellegen::cli
