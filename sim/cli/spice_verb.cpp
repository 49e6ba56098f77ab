// tellegen spice: one's own array, once more by ngspice.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <variant>

#include "tellegen/base/error.h"
#include "tellegen/sim/cli/array_options.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/crossbar/spice_check.h"

namespace tellegen::cli {
namespace {

struct SpiceOptions {
  ArrayOptions array;
  std::optional<std::int64_t> vector;
  SharedOptions shared;
};

using Tile = std::variant<array::ArrayFile, array::ChargeFile>;

Tile read(const ArrayOptions& options) {
  if (!array::is_charge_file(options.file)) return options.read();
  const std::string option = options.first_given();
  if (!option.empty()) {
    throw InputError(options.file.string() + ": " + option +
                     " is for arrays of conductances, and this is one of capacitors. Leave it out.");
  }
  return array::read_charge_file(options.file);
}

void compare(const SpiceOptions& options, std::ostream& out) {
  const Tile tile = read(options.array);
  const std::filesystem::path folder = options.shared.output_folder("spice_" + options.array.file.stem().string());
  const array::SpiceCheck check =
      std::visit([&](const auto& file) { return array::check_with_ngspice(file, options.vector, folder); }, tile);
  const std::vector<std::string> written = array::write_spice_check(check, folder);
  if (options.shared.quiet) return;
  out << array::spice_check_text(check) << "wrote ";
  for (std::size_t k = 0; k < written.size(); ++k) out << (k > 0 ? ", " : "") << written[k];
  out << " to " << folder.string() << "\n";
}

}  // namespace

void add_spice(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand(
      "spice",
      "Netlists of one's own array, of conductances or of capacitors, for ngspice; the difference of both answers.");
  auto options = std::make_shared<SpiceOptions>();
  add_array_options(*verb, options->array);
  verb->add_option("--vector", options->vector, "Only this input vector, by number from 0.")->type_name("NUMBER");
  verb->add_option("--out", options->shared.out, "Folder for the results; out/spice_NAME without it.")
      ->type_name("FOLDER");
  verb->add_flag("--quiet", options->shared.quiet, "Print nothing but errors.");
  verb->footer(
      "\nExamples:\n"
      "  tellegen spice array.json\n"
      "  tellegen spice conductances.csv --voltages inputs.csv --row-wire \"1 ohm\" --column-wire \"1 ohm\"\n"
      "  tellegen spice array.json --vector 0 --out out/check\n"
      "  tellegen spice capacitors.json");
  verb->callback([options, &out] { compare(*options, out); });
}

}  // namespace tellegen::cli
