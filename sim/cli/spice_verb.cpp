// tellegen spice: one's own array, once more by ngspice.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <variant>

#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/crossbar/spice_check.h"

namespace tellegen::cli {
namespace {

struct SpiceOptions {
  std::filesystem::path array;
  std::optional<std::int64_t> vector;
  SharedOptions shared;
};

std::variant<array::ArrayFile, array::ChargeFile> read(const std::filesystem::path& file) {
  if (array::is_charge_file(file)) return array::read_charge_file(file);
  return array::read_array_file(file);
}

void compare(const SpiceOptions& options, std::ostream& out) {
  const auto file = read(options.array);
  const std::filesystem::path folder = options.shared.output_folder("spice_" + options.array.stem().string());
  const array::SpiceCheck check =
      std::visit([&](const auto& tile) { return array::check_with_ngspice(tile, options.vector, folder); }, file);
  const std::vector<std::string> written = array::write_spice_check(check, folder);
  if (options.shared.quiet) return;
  out << array::spice_check_text(check) << "wrote ";
  for (std::size_t k = 0; k < written.size(); ++k) out << (k > 0 ? ", " : "") << written[k];
  out << " to " << folder.string() << "\n";
}

}  // namespace

void add_spice(CLI::App& program, std::ostream& out) {
  CLI::App* verb =
      program.add_subcommand("spice", "Netlists of an array for ngspice, and how far both answers are apart.");
  auto options = std::make_shared<SpiceOptions>();
  verb->add_option("file", options->array, "The array, as for 'tellegen crossbar solve'; or capacitors, .json.")
      ->required()
      ->type_name("FILE");
  verb->add_option("--vector", options->vector, "Only this input vector, by number from 0.")->type_name("NUMBER");
  verb->add_option("--out", options->shared.out, "Folder for the results; out/spice_NAME without it.")
      ->type_name("FOLDER");
  verb->add_flag("--quiet", options->shared.quiet, "Print nothing but errors.");
  verb->footer(
      "\nExamples:\n"
      "  tellegen spice array.json\n"
      "  tellegen spice array.json --vector 0 --out out/check\n"
      "  tellegen spice capacitors.json");
  verb->callback([options, &out] { compare(*options, out); });
}

}  // namespace tellegen::cli
