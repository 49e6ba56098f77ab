// tellegen sweep: a grid of experiments.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/base/progress_bar.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/report/plot/gnuplot.h"
#include "tellegen/sim/report/sweep_figure.h"
#include "tellegen/sim/report/sweep_output.h"

namespace tellegen::cli {
namespace {

struct SweepOptions : SharedOptions {
  std::filesystem::path file, plot;
};

void draw(const SweepOptions& options, const report::SweepResult& result, std::ostream& out) {
  const bool drawn = plot::draw(report::sweep_figure(result), options.plot) == plot::Drawn::yes;
  if (options.quiet) return;
  out << (drawn ? "drew " + options.plot.string() : plot::missing_gnuplot_message(options.plot)) << "\n";
}

void sweep(const SweepOptions& options, std::ostream& out) {
  if (!options.plot.empty()) {
    plot::require_figure_format(options.plot);
    report::require_figure_axis(options.file);
  }
  const std::filesystem::path folder =
      options.output_folder(file_name_of(options.file.stem().string()), {"sweep.h5", "sweep.csv"});
  sim::Session session(configs_folder() / "costs", options.threads);
  const report::SweepResult result = [&] {
    ProgressBar bar;
    return report::run_sweep(options.file, options.overrides(), session,
                             options.quiet ? Progress{} : bar.callback("sweep"));
  }();
  report::write_sweep_output(folder, result);
  if (!options.quiet) out << report::sweep_table(result) << "wrote sweep.h5, sweep.csv to " << folder.string() << "\n";
  if (!options.plot.empty()) draw(options, result, out);
  report::require_results(result.point_list());
}

}  // namespace

void add_sweep(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("sweep", "Run a grid over any settings of an experiment.");
  auto options = std::make_shared<SweepOptions>();
  verb->add_option("sweep", options->file, "The sweep, a YAML file: experiment, set, over, compare_axis.")
      ->required()
      ->type_name("SWEEP.yaml");
  verb->add_option("--plot", options->plot,
                   "Draw accuracy against the axis of numbers with the most values as this file (needs gnuplot).")
      ->type_name("FILE.svg|FILE.png");
  add_output_options(*verb, *options);
  add_thread_option(*verb, *options);
  verb->footer(
      "\nExamples:\n"
      "  tellegen sweep configs/sweeps/mapping_matters.yaml\n"
      "  tellegen sweep configs/sweeps/age_and_bits.yaml --set evaluate.samples=500\n"
      "  tellegen sweep configs/sweeps/wires.yaml --plot wires.svg\n"
      "\nWrites sweep.h5 (axes and results as arrays) and sweep.csv. Points that a chip cannot do are rows that say "
      "why.\n"
      "'tellegen help sweep' lists the settings of the file.");
  verb->callback([options, &out] { sweep(*options, out); });
}

}  // namespace tellegen::cli
