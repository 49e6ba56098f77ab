// tellegen compare: alternatives for converters and activations, side by side.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "tellegen/base/error.h"
#include "tellegen/base/progress_bar.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/compare/comparison.h"
#include "tellegen/sim/report/activation_table.h"
#include "tellegen/sim/report/compare_output.h"

namespace tellegen::cli {
namespace {

struct CompareOptions : SharedOptions {
  std::filesystem::path file;
};

/// Throws RefusedError with the first reason where no option can be done in any layer.
void require_prices(const compare::Comparison& result) {
  const auto priced = [](const compare::Row& row) { return row.has_cost(); };
  if (result.rows.empty() || std::any_of(result.rows.begin(), result.rows.end(), priced)) return;
  throw RefusedError({"None of the options can be done: " + result.rows.front().resized.why,
                      "Change options, layers or temperatures."});
}

/// Ways for an activation to cross to the next array, at equal error.
void compare_activations(const CompareOptions& options, std::ostream& out) {
  const std::filesystem::path folder =
      options.output_folder(file_name_of(options.file.stem().string()), report::activation_files());
  const compare::Comparison result = [&] {
    ProgressBar bar;
    return compare::run_comparison(options.file, options.overrides(), configs_folder() / "costs", options.threads,
                                   options.quiet ? Progress{} : bar.callback("compare"));
  }();
  const std::string missing = report::write_activation_output(folder, result);
  if (!options.quiet)
    out << report::activation_table(result) << "wrote " << (missing.empty() ? "pareto.svg, " : "")
        << "activations.csv, activations.json to " << folder.string() << "\n"
        << missing;
  require_prices(result);
}

/// Whole chips that run a network.
void compare_chips(const CompareOptions& options, std::ostream& out) {
  const std::filesystem::path folder =
      options.output_folder(file_name_of(options.file.stem().string()), {"compare.csv", "compare.json"});
  sim::Session session(configs_folder() / "costs", options.threads);
  const report::CompareResult result = [&] {
    ProgressBar bar;
    return report::run_compare(options.file, options.overrides(), session,
                               options.quiet ? Progress{} : bar.callback("compare"));
  }();
  report::write_compare_output(folder, result);
  if (!options.quiet)
    out << report::compare_table(result) << "wrote compare.csv, compare.json to " << folder.string() << "\n";
  report::require_results(result.point_list());
}

void compare_options(const CompareOptions& options, std::ostream& out) {
  compare::compares_activations(options.file) ? compare_activations(options, out) : compare_chips(options, out);
}

}  // namespace

void add_compare(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand(
      "compare", "Compare ADC + digital activation + DAC with alternatives: area, energy, latency.");
  auto options = std::make_shared<CompareOptions>();
  verb->add_option(
          "compare", options->file,
          "The comparison, a YAML file: of chips (experiment, images, set, options), or of activations at equal "
          "error (layers, errors, options).")
      ->required()
      ->type_name("COMPARE.yaml");
  add_output_options(*verb, *options);
  add_thread_option(*verb, *options);
  verb->footer(
      "\nExamples:\n"
      "  tellegen compare configs/compare/adc_choices.yaml\n"
      "  tellegen compare configs/compare/adc_choices.yaml --set chip.node=\"65 nm\"\n"
      "  tellegen compare configs/compare/swiglu.yaml\n"
      "\nWrites compare.csv and compare.json; of activations activations.csv, activations.json and pareto.svg. "
      "'tellegen help compare' and 'tellegen help activations' list the settings of the two kinds of file.");
  verb->callback([options, &out] { compare_options(*options, out); });
}

}  // namespace tellegen::cli
