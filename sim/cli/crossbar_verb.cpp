// tellegen crossbar: one's own array.

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/sim/cli/array_options.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/crossbar/array_results.h"
#include "tellegen/sim/crossbar/charge_results.h"

namespace tellegen::cli {
namespace {

struct CrossbarOptions {
  ArrayOptions array;
  std::filesystem::path out;
  std::string solver = "auto";
  array::SolveRequest request;
};

using array::Solver;
constexpr std::array solvers = {std::pair{Solver::automatic, "auto"}, std::pair{Solver::line, "line"},
                                std::pair{Solver::transfer, "transfer"}, std::pair{Solver::reference, "reference"}};

/// Both kinds of arrays: text, then files.
template <class Solution>
void show(const Solution& solution, const std::filesystem::path& file, std::ostream& out) {
  out << array::results_text(solution);
  if (file.empty()) return;
  for (const std::filesystem::path& written : array::write_results(file, solution)) {
    out << "wrote " << written.string() << "\n";
  }
}

void solve_capacitors(const CrossbarOptions& options, std::ostream& out) {
  const bool solver = options.solver != "auto";
  if (solver || options.request.nodes) {
    throw InputError(options.array.file.string() + ": " + (solver ? "--solver" : "--nodes") +
                     " is for arrays of conductances, and this is one of capacitors. Leave it out.");
  }
  show(array::solve_charge(options.array.read_charge(), options.request.transfer), options.out, out);
}

void solve(const CrossbarOptions& options, std::ostream& out) {
  array::SolveRequest request = options.request;
  request.solver = chosen<Solver>("--solver", options.solver, solvers);
  if (!(request.tolerance > 0)) throw InputError("--tolerance must be above 0. Write for example 1e-10.");
  if (!options.out.empty()) array::check_result_name(options.out);
  if (is_same_file(options.out, options.array.file) || is_same_file(options.out, options.array.voltages)) {
    throw InputError({options.out.string()}, "is a file that is read; results would replace it. Give another name.");
  }
  if (array::is_charge_file(options.array.file)) {
    solve_capacitors(options, out);
  } else {
    show(array::solve_array(options.array.read(), request), options.out, out);
  }
}

void add_work_options(CLI::App& verb, CrossbarOptions& options) {
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
  CLI::App* solve_verb = verb->add_subcommand(
      "solve",
      "Currents, energy, node voltages and transfer matrix of an array in a file; of capacitors, their charge read.");
  auto options = std::make_shared<CrossbarOptions>();
  add_array_options(*solve_verb, options->array);
  add_work_options(*solve_verb, *options);
  solve_verb->footer(
      "\nExamples:\n"
      "  tellegen crossbar solve conductances.csv --voltages inputs.csv --row-wire \"1 ohm\" --column-wire \"1 ohm\"\n"
      "  tellegen crossbar solve array.h5 --row-wire \"2.5 ohm\" --cell sinh --v0 \"0.3 V\" --nodes --out solved.h5\n"
      "  tellegen crossbar solve array.json --transfer --out transfer.csv\n"
      "  tellegen crossbar solve capacitors.yaml --out voltages.csv");
  solve_verb->callback([options, &out] { solve(*options, out); });
}

}  // namespace tellegen::cli
