// tellegen circuit: the catalogue of analog circuits between crossbars; what one of them is, what it does, its netlist.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "tellegen/base/error.h"
#include "tellegen/base/table.h"
#include "tellegen/sim/characterize/circuits/catalogue.h"
#include "tellegen/sim/characterize/circuits/netlist.h"
#include "tellegen/sim/cli/manual.h"
#include "tellegen/sim/cli/paragraph.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/engine/run.h"
#include "tellegen/sim/report/plot/gnuplot.h"

namespace tellegen::cli {
namespace {

using characterize::Circuit;

/// One table per kind.
std::string list_text() {
  std::string text;
  const std::vector<Circuit>& all = characterize::circuits();
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(), [&](const Circuit& other) { return other.kind != first->kind; });
    text += (text.empty() ? "" : "\n") + std::string(kind_name(first->kind)) + "s\n";
    Table table({{"circuit", Table::Align::left}, {"what", Table::Align::left}});
    for (; first != last; ++first) table.row({first->name, first->summary});
    text += table.text();
  }
  return text + "\nprotocols of all: " + joined(characterize::circuit_protocols()) + "\n";
}

std::string description(const Circuit& circuit) {
  return circuit.name + ": " + kind_name(circuit.kind) + "\n" + paragraph(circuit.summary) + "\nequations\n" +
         paragraph(circuit.equations) + "\nsource\n" + paragraph(circuit.source) + "\nsmallest use\n  " +
         circuit.smallest_yaml + "\n\nprotocols of 'tellegen circuit characterize " + circuit.name + "'\n  " +
         joined(characterize::circuit_protocols()) + "\n\nsettings\n" + manual_text(settings_of(circuit), "");
}

struct Options {
  std::string name, protocol, plot, temperature;
  std::uint64_t seed = 1;
  SharedOptions shared;
};

/// Where the cost tables are, or "" where there are none: circuits are measured without them, too.
std::filesystem::path costs_folder() {
  try {
    return configs_folder() / "costs";
  } catch (const InputError&) {
    return {};
  }
}

Temperature temperature_of(const std::string& text) {
  if (text.empty()) return Temperature::si(300);
  double value_K = 0;
  try {
    value_K = parse_quantity(text, Temperature::dimension);
  } catch (const UnitError& error) {
    throw InputError("--temperature = '" + text + "' " + error.reason());
  }
  if (!(value_K >= 200 && value_K <= 450)) {
    throw InputError("--temperature = '" + text + "' is out of range; allowed: 200 K to 450 K.");
  }
  return Temperature::si(value_K);
}

void characterize_circuit(const Options& options, std::ostream& out) {
  const Circuit& circuit = characterize::find_circuit(options.name);
  if (!options.plot.empty()) plot::require_figure_format(options.plot);
  auto result = characterize::characterize(
      circuit, options.protocol,
      {options.shared.overrides(), options.seed, temperature_of(options.temperature), costs_folder()});
  result.version = sim::version();
  const std::filesystem::path folder = options.shared.output_folder(circuit.name + "_" + options.protocol);
  const std::vector<std::string> written = characterize::write(result, folder);
  const auto say = [&](const std::string& text) {
    if (!options.shared.quiet) out << text << "\n";
  };
  for (const std::string& finding : result.findings) say(finding);
  say("wrote " + joined(written) + " to " + folder.string());
  if (options.plot.empty()) return;
  if (plot::draw(result.figure, options.plot) == plot::Drawn::yes) {
    say("drew " + options.plot);
  } else {
    say(plot::missing_gnuplot_message(options.plot));
  }
}

void write_netlist(const Options& options, std::ostream& out) {
  const Circuit& circuit = characterize::find_circuit(options.name);
  const std::filesystem::path folder = options.shared.output_folder(circuit.name + "_spice");
  const auto netlist =
      characterize::netlist_of(circuit, options.shared.overrides(), temperature_of(options.temperature), folder);
  const std::string file = characterize::write(netlist, folder);
  if (options.shared.quiet) return;
  out << characterize::text_of(netlist) << "wrote " << file << " to " << folder.string() << "\n";
}

void add_characterize(CLI::App& verb, std::ostream& out) {
  CLI::App* characterize = verb.add_subcommand("characterize", "Measure one circuit by a protocol.");
  auto options = std::make_shared<Options>();
  characterize->add_option("name", options->name, "Name of the circuit.")->required()->type_name("NAME");
  characterize->add_option("--protocol", options->protocol, "transfer, error, mismatch, noise, energy or temperature.")
      ->required()
      ->type_name("NAME");
  characterize->add_option("--plot", options->plot, "Draw the figure as this file (needs gnuplot).")
      ->type_name("FILE.svg|FILE.png");
  characterize
      ->add_option("--temperature", options->temperature, "Of the circuit, 300 K unless given, for example '330 K'.")
      ->type_name("TEMPERATURE");
  characterize->add_option("--seed", options->seed, "Of all draws.")->capture_default_str();
  add_output_options(*characterize, options->shared);
  characterize->callback([options, &out] { characterize_circuit(*options, out); });
}

void add_netlist(CLI::App& verb, std::ostream& out) {
  CLI::App* spice =
      verb.add_subcommand("spice", "Write the netlist of one circuit, and compare with ngspice where it is installed.");
  auto options = std::make_shared<Options>();
  spice->add_option("name", options->name, "Name of the circuit.")->required()->type_name("NAME");
  spice->add_option("--temperature", options->temperature, "Of the circuit, 300 K unless given.")
      ->type_name("TEMPERATURE");
  add_output_options(*spice, options->shared);
  spice->callback([options, &out] { write_netlist(*options, out); });
}

}  // namespace

void add_circuit(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand(
      "circuit", "List, describe or measure the analog circuits between crossbars: gates, softmax, crossings.");
  verb->require_subcommand(1);
  verb->add_subcommand("list", "List all circuits.")->callback([&out] { out << list_text(); });
  CLI::App* describe = verb->add_subcommand("describe", "Equations, source and settings of one circuit.");
  auto name = std::make_shared<std::string>();
  describe->add_option("name", *name, "Name of the circuit.")->required()->type_name("NAME");
  describe->callback([name, &out] { out << description(characterize::find_circuit(*name)); });
  add_characterize(*verb, out);
  add_netlist(*verb, out);
  verb->footer(
      "\nExamples:\n"
      "  tellegen circuit list\n"
      "  tellegen circuit describe memglu_translinear\n"
      "  tellegen circuit characterize softmax_array --protocol error --plot error.svg\n"
      "  tellegen circuit characterize memglu_pairs --protocol mismatch --set form=telescoping\n"
      "  tellegen circuit spice softmax_array --set bias='100 nA'");
}

}  // namespace tellegen::cli
