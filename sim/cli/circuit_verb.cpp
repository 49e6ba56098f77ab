// tellegen circuit: the catalogue of analog circuits between crossbars; what one of them is, what it does, its netlist.

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "tellegen/base/error.h"
#include "tellegen/sim/characterize/circuits/catalogue.h"
#include "tellegen/sim/characterize/circuits/netlist.h"
#include "tellegen/sim/cli/catalogue_verb.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/cli/verbs.h"

namespace tellegen::cli {
namespace {

using characterize::Circuit;

std::string heading(const Circuit& first) { return std::string(kind_name(first.kind)) + "s"; }

struct Options : ProtocolOptions {
  std::string temperature;
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
  const auto is_between = [](double value_K) { return value_K >= 200 && value_K <= 450; };
  return option_quantity<Temperature>("--temperature", text, is_between, "200 K to 450 K")
      .value_or(Temperature::si(300));
}

void characterize_circuit(const Options& options, std::ostream& out) {
  const Circuit& circuit = characterize::find_circuit(options.name);
  const auto measure = [&] {
    return characterize::characterize(
        circuit, options.protocol,
        {options.shared.overrides(), options.seed, temperature_of(options.temperature), costs_folder()});
  };
  write_measured(options, measure, out);
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
  add_protocol_options(*characterize, "circuit", "transfer, error, mismatch, noise, energy or temperature.", *options);
  characterize
      ->add_option("--temperature", options->temperature, "Of the circuit, 300 K unless given, for example '330 K'.")
      ->type_name("TEMPERATURE");
  add_seed_and_output_options(*characterize, *options);
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
  verb->add_subcommand("list", "List all circuits.")->callback([&out] {
    out << list_text(characterize::circuits(), "circuit", heading)
        << "\nprotocols of all: " << joined(characterize::circuit_protocols()) << "\n";
  });
  CLI::App* describe = verb->add_subcommand("describe", "Equations, source and settings of one circuit.");
  auto name = std::make_shared<std::string>();
  describe->add_option("name", *name, "Name of the circuit.")->required()->type_name("NAME");
  describe->callback([name, &out] {
    out << description_text(characterize::find_circuit(*name), "circuit", characterize::circuit_protocols());
  });
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
