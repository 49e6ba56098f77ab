// tellegen crossbar: one's own array.

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/base/units.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/crossbar/array_results.h"

namespace tellegen::cli {
namespace {

using circuits::Drive;
using circuits::Sense;

struct CrossbarOptions {
  std::filesystem::path array, voltages, out;
  std::optional<std::string> row_wire, column_wire, driver, sense_resistance, access, v0, drive, sense, cell;
  std::string solver = "auto";
  array::SolveRequest request;
};

template <class Q>
double quantity(const std::string& option, const std::string& text) {
  try {
    return parse<Q>(text).si();
  } catch (const UnitError& error) {
    throw InputError(option + " '" + text + "' " + error.reason());
  }
}

/// The choice that `text` names.
template <class T, class Choices>
T chosen(const std::string& option, const std::string& text, const Choices& choices) {
  std::vector<std::string> names;
  std::string list;
  for (const auto& [value, name] : choices) {
    if (text == name) return value;
    names.emplace_back(name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string near = nearest(text, names);
  throw InputError(option + " '" + text + "' is not known" + (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   (near.empty() ? ". " : " ") + "Allowed: " + list + ".");
}

using array::Solver;
constexpr std::array solvers = {std::pair{Solver::automatic, "auto"}, std::pair{Solver::line, "line"},
                                std::pair{Solver::transfer, "transfer"}, std::pair{Solver::reference, "reference"}};
constexpr std::array drives = {std::pair{Drive::one_side, "one_side"}, std::pair{Drive::both_sides, "both_sides"}};
constexpr std::array senses = {std::pair{Sense::one_end, "one_end"}, std::pair{Sense::both_ends, "both_ends"},
                               std::pair{Sense::alternate, "alternate"}};

void change(double& value, const char* option, const std::optional<std::string>& text) {
  if (text) value = quantity<Resistance>(option, *text);
}

/// Options over what the file tells.
void apply(const CrossbarOptions& options, array::ArrayFile& file) {
  change(file.wires.row_segment_ohm, "--row-wire", options.row_wire);
  change(file.wires.column_segment_ohm, "--column-wire", options.column_wire);
  change(file.wires.driver_ohm, "--driver", options.driver);
  change(file.wires.sense_ohm, "--sense-resistance", options.sense_resistance);
  change(file.wires.access_ohm, "--access", options.access);
  if (options.drive) file.wires.drive = chosen<Drive>("--drive", *options.drive, drives);
  if (options.sense) file.wires.sense = chosen<Sense>("--sense", *options.sense, senses);
  if (options.cell) {
    devices::CellLawConfig law;
    law.law = chosen<devices::CellLawKind>("--cell", *options.cell, enum_names(devices::CellLawKind()));
    if (options.v0) {
      law.v0 = Voltage::si(quantity<Voltage>("--v0", *options.v0));
      if (!(law.v0.si() > 0)) throw InputError("--v0 '" + *options.v0 + "' is not above 0 V.");
    }
    file.law = law.make();
  } else if (options.v0) {
    throw InputError("--v0 is given without --cell. Add --cell sinh or --cell cubic.");
  }
  if (!options.voltages.empty()) {
    file.input_V = array::read_voltages(options.voltages, file.wires.rows);
    file.expected_A.clear();
  }
}

void solve(const CrossbarOptions& options, std::ostream& out) {
  array::SolveRequest request = options.request;
  request.solver = chosen<Solver>("--solver", options.solver, solvers);
  if (!(request.tolerance > 0)) throw InputError("--tolerance must be above 0. Write for example 1e-10.");
  if (!options.out.empty()) array::check_result_name(options.out);
  array::ArrayFile file = array::read_array_file(options.array);
  apply(options, file);
  const array::ArraySolution solution = array::solve_array(file, request);
  out << array::results_text(solution);
  if (options.out.empty()) return;
  for (const std::filesystem::path& written : array::write_results(options.out, solution)) {
    out << "wrote " << written.string() << "\n";
  }
}

void add_circuit_options(CLI::App& verb, CrossbarOptions& options) {
  const auto resistance = [&](const char* name, std::optional<std::string>& value, const char* help) {
    verb.add_option(name, value, help)->type_name("\"1 ohm\"");
  };
  resistance("--row-wire", options.row_wire, "Resistance of a row wire from cell to cell.");
  resistance("--column-wire", options.column_wire, "Resistance of a column wire from cell to cell.");
  resistance("--driver", options.driver, "Resistance of a driver.");
  resistance("--sense-resistance", options.sense_resistance, "Resistance from the end of a column to 0 V.");
  resistance("--access", options.access, "Resistance of the access transistor of each cell.");
  verb.add_option("--drive", options.drive, "Where rows are driven: one_side, both_sides.")->type_name("NAME");
  verb.add_option("--sense", options.sense, "Where columns are sensed: one_end, both_ends, alternate.")
      ->type_name("NAME");
  verb.add_option("--cell", options.cell, "Current of a cell: ohmic, sinh, cubic, milo.")->type_name("NAME");
  verb.add_option("--v0", options.v0, "Voltage at which sinh and cubic cells leave Ohm's law.")
      ->type_name("\"0.25 V\"");
}

void add_work_options(CLI::App& verb, CrossbarOptions& options) {
  verb.add_option("--voltages", options.voltages, "Input vectors, CSV, one line per vector, in volts.")
      ->type_name("FILE.csv");
  verb.add_option("--solver", options.solver, "auto, line, transfer, reference; auto takes the fastest.")
      ->type_name("NAME");
  verb.add_option("--tolerance", options.request.tolerance, "Error of the outputs, in parts of the largest (1e-12).")
      ->type_name("NUMBER");
  verb.add_flag("--nodes", options.request.nodes, "Write the voltages of all nodes, too.");
  verb.add_flag("--transfer", options.request.transfer, "Write T (outputs = T V) and Y (source currents = Y V), too.");
  verb.add_option("--out", options.out, "Results; .json, .csv, .h5 or .hdf5.")->type_name("FILE");
}

}  // namespace

void add_crossbar(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("crossbar", "Solve one's own array with its wires.");
  verb->require_subcommand(1);
  CLI::App* solve_verb =
      verb->add_subcommand("solve", "Currents, energy, node voltages and transfer matrix of an array in a file.");
  auto options = std::make_shared<CrossbarOptions>();
  solve_verb->add_option("file", options->array, "The array: .json, .csv (siemens) or .h5.")
      ->required()
      ->type_name("FILE");
  add_circuit_options(*solve_verb, *options);
  add_work_options(*solve_verb, *options);
  solve_verb->footer(
      "\nExamples:\n"
      "  tellegen crossbar solve conductances.csv --voltages inputs.csv --row-wire \"1 ohm\" --column-wire \"1 ohm\"\n"
      "  tellegen crossbar solve array.h5 --row-wire \"2.5 ohm\" --cell sinh --v0 \"0.3 V\" --nodes --out solved.h5\n"
      "  tellegen crossbar solve array.json --transfer --out transfer.csv");
  solve_verb->callback([options, &out] { solve(*options, out); });
}

}  // namespace tellegen::cli
