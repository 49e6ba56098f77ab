// tellegen spice: a tile of an experiment, or one's own array, once more by ngspice.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "tellegen/base/error.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/sim/cli/array_options.h"
#include "tellegen/sim/cli/experiment_tile.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/crossbar/spice_check.h"

namespace tellegen::cli {
namespace {

struct SpiceOptions {
  ArrayOptions array;
  TileOptions tile;
  std::optional<std::int64_t> vector;
  SharedOptions shared;
};

/// What is compared, and the name that the results go by.
struct Subject {
  std::string name, title;
  std::variant<array::ArrayFile, array::ChargeFile> array;
};

Subject read(const SpiceOptions& options) {
  const std::filesystem::path& file = options.array.file;
  if (is_experiment(file)) {
    if (const std::string given = options.array.first_given(); !given.empty()) {
      throw InputError(file.string() + ": " + given +
                       " is for one's own array, and this is an experiment. Change it with --set, for example --set "
                       "chip.crossbar.row_wire='2 ohm'.");
    }
    ExperimentTile tile = read_experiment_tile(file, options.tile, options.shared);
    return {tile.name, tile.title + "\n", std::move(tile.array)};
  }
  std::string given = options.tile.first_given();
  if (given.empty() && !options.shared.set.empty()) given = "--set";
  if (!given.empty()) {
    throw InputError(file.string() + ": " + given + " is for experiments (.yaml), and this is an array. Leave it out.");
  }
  const std::string name = file_name_of(file.stem().string());
  if (array::is_charge_file(file)) return {name, "", options.array.read_charge()};
  return {name, "", options.array.read()};
}

void compare(const SpiceOptions& options, std::ostream& out) {
  const Subject subject = read(options);
  const std::filesystem::path folder = options.shared.output_folder("spice_" + subject.name);
  const array::SpiceCheck check = std::visit(
      [&](const auto& array) { return array::check_with_ngspice(array, options.vector, folder); }, subject.array);
  const std::vector<std::string> written = array::write_spice_check(check, folder);
  if (options.shared.quiet) return;
  out << subject.title << array::spice_check_text(check) << "wrote ";
  for (std::size_t k = 0; k < written.size(); ++k) out << (k > 0 ? ", " : "") << written[k];
  out << " to " << folder.string() << "\n";
}

}  // namespace

void add_spice(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand(
      "spice",
      "Netlists for ngspice of a tile of an experiment, or of one's own array of conductances or of capacitors; the "
      "difference of both answers.");
  auto options = std::make_shared<SpiceOptions>();
  add_array_options(*verb, options->array);
  verb->get_option("file")->description("An experiment (.yaml), or an array: .json, .yaml, .csv (siemens) or .h5.");
  add_tile_options(*verb, options->tile);
  verb->add_option("--vector", options->vector, "Only this input vector, by number from 0.")->type_name("NUMBER");
  add_output_options(*verb, options->shared);
  add_thread_option(*verb, options->shared);
  verb->footer(
      "\nExamples:\n"
      "  tellegen spice configs/experiments/lenet_wires.yaml --layer conv2 --sample 3\n"
      "  tellegen spice configs/experiments/lenet_wires.yaml --set chip.device.iv.law=sinh --out out/sinh\n"
      "  tellegen spice array.json\n"
      "  tellegen spice conductances.csv --voltages inputs.csv --row-wire \"1 ohm\" --column-wire \"1 ohm\"\n"
      "  tellegen spice array.json --vector 0 --out out/check\n"
      "  tellegen spice capacitors.json\n"
      "\nThe cells of a tile are as programmed and read at chip.device.age; row voltages are what the float network "
      "puts into the\nlayer, behind the DAC. ngspice takes seconds for 64 x 64 cells, minutes for 128 x 128.");
  verb->callback([options, &out] { compare(*options, out); });
}

}  // namespace tellegen::cli
