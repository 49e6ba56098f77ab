// tellegen validate: published macros against this program.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "tellegen/base/output_file.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/validate/validation.h"

namespace tellegen::cli {

void add_validate(CLI::App& program, std::ostream& out) {
  struct Options {
    std::filesystem::path folder, csv;
  };
  CLI::App* verb = program.add_subcommand(
      "validate", "Compare energy, area and throughput of published macros with what this program says of them.");
  auto options = std::make_shared<Options>();
  verb->add_option("macros", options->folder, "Folder of macros, YAML files; configs/macros where it is not given.")
      ->type_name("FOLDER");
  verb->add_option("--csv", options->csv, "Write every number to this file.")->type_name("FILE");
  verb->footer(
      "\nExamples:\n"
      "  tellegen validate\n"
      "  tellegen validate configs/macros --csv macros.csv");
  verb->callback([options, &out] {
    const std::filesystem::path configs = configs_folder();
    const std::filesystem::path folder = options->folder.empty() ? configs / "macros" : options->folder;
    const sim::Validation validation = sim::validate(folder, configs / "costs");
    out << sim::validation_table(validation);
    if (options->csv.empty()) return;
    write_text_file(options->csv, sim::validation_csv(validation));
    out << "wrote " << options->csv.string() << "\n";
  });
}

}  // namespace tellegen::cli
