// tellegen compare: alternatives for converters and activations, side by side.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/base/progress_bar.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/report/compare_output.h"

namespace tellegen::cli {
namespace {

struct CompareOptions : SharedOptions {
  std::filesystem::path file;
};

void compare(const CompareOptions& options, std::ostream& out) {
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

}  // namespace

void add_compare(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand(
      "compare", "Compare ADC + digital activation + DAC with alternatives: area, energy, latency.");
  auto options = std::make_shared<CompareOptions>();
  verb->add_option("compare", options->file, "The comparison, a YAML file: experiment, images, set, options.")
      ->required()
      ->type_name("COMPARE.yaml");
  add_output_options(*verb, *options);
  add_thread_option(*verb, *options);
  verb->footer(
      "\nExamples:\n"
      "  tellegen compare configs/compare/adc_choices.yaml\n"
      "  tellegen compare configs/compare/adc_choices.yaml --set chip.node=\"65 nm\"\n"
      "\nWrites compare.csv and compare.json. 'tellegen help compare' lists the settings of the file.");
  verb->callback([options, &out] { compare(*options, out); });
}

}  // namespace tellegen::cli
