// tellegen explain: where a number comes from.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/report/explain.h"
#include "tellegen/sim/report/run_file.h"

namespace tellegen::cli {

void add_explain(CLI::App& program, std::ostream& out) {
  struct Options {
    std::filesystem::path file;
    std::string number;
  };
  CLI::App* verb =
      program.add_subcommand("explain", "Say where a number of a report comes from: formula, inputs, counts, source.");
  auto options = std::make_shared<Options>();
  verb->add_option("file", options->file, "The run.h5 of a run, or its folder.")->required()->type_name("run.h5");
  verb->add_option("number", options->number, "Id of the number; without it, all numbers are listed.")
      ->type_name("NUMBER");
  verb->footer(
      "\nExamples:\n"
      "  tellegen explain out/fashion_resnet8/run.h5\n"
      "  tellegen explain out/fashion_resnet8/run.h5 tops_per_watt");
  verb->callback([options, &out] {
    if (std::filesystem::is_directory(options->file)) options->file /= "run.h5";
    const report::Report report = report::read_run_file(options->file);
    out << (options->number.empty() ? report::list_numbers(report)
                                    : report::explain(report, options->number, options->file));
  });
}

}  // namespace tellegen::cli
