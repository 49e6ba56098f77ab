// tellegen device: the catalogue of element models; what one of them is, and what it does.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/devices/memristor/branch_table.h"
#include "tellegen/sim/characterize/catalogue.h"
#include "tellegen/sim/cli/catalogue_verb.h"
#include "tellegen/sim/cli/verbs.h"

namespace tellegen::cli {
namespace {

using characterize::Device;

std::string heading(const Device& first) {
  return std::string(kind_name(first.kind)) + "s; protocols: " + joined(first.protocols);
}

struct Options : ProtocolOptions {
  std::string amplitude, frequency;
};

template <class Q>
std::optional<Q> positive_quantity(const char* option, const std::string& text) {
  return option_quantity<Q>(
      option, text, [](double value) { return value > 0; }, "above 0");
}

characterize::Request request_of(const Options& options) {
  characterize::Request request;
  request.settings = options.shared.overrides();
  request.seed = options.seed;
  request.amplitude = positive_quantity<Voltage>("--amplitude", options.amplitude);
  request.frequency = positive_quantity<Frequency>("--frequency", options.frequency);
  return request;
}

void characterize_device(const Options& options, std::ostream& out) {
  const Device& device = characterize::find(options.name);
  const auto measure = [&] { return characterize::characterize(device, options.protocol, request_of(options)); };
  write_measured(options, measure, out);
}

void add_characterize(CLI::App& verb, std::ostream& out) {
  CLI::App* characterize = verb.add_subcommand("characterize", "Measure one device by a protocol.");
  auto options = std::make_shared<Options>();
  add_protocol_options(*characterize, "device", "iv, pulses, retention, read, branches or pe-loop.", *options);
  characterize->add_option("--amplitude", options->amplitude, "Largest voltage, for example '0.5 V'.")
      ->type_name("VOLTAGE");
  characterize->add_option("--frequency", options->frequency, "Of a sinusoid, for example '10 Hz'.")
      ->type_name("FREQUENCY");
  add_seed_and_output_options(*characterize, *options);
  characterize->callback([options, &out] { characterize_device(*options, out); });
}

}  // namespace

void add_device(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("device", "List, describe or measure the devices that circuits are made of.");
  verb->require_subcommand(1);
  verb->add_subcommand("list", "List all devices.")->callback([&out] {
    out << list_text(characterize::devices(), "device", heading);
  });
  CLI::App* describe = verb->add_subcommand("describe", "Equations, source and settings of one device.");
  auto name = std::make_shared<std::string>();
  describe->add_option("name", *name, "Name of the device.")->required()->type_name("NAME");
  describe->callback([name, &out] {
    const Device& device = characterize::find(*name);
    out << description_text(device, "device", device.protocols);
  });
  add_characterize(*verb, out);
  verb->add_subcommand("branch-table", "How far every memristor model is from the ideal gate xi sqrt(1 - xi^2).")
      ->callback([&out] { out << devices::branch_table_text(devices::branch_table()); });
  verb->footer(
      "\nExamples:\n"
      "  tellegen device list\n"
      "  tellegen device describe pcm_joshi\n"
      "  tellegen device characterize pcm_joshi --protocol retention --plot retention.svg\n"
      "  tellegen device characterize vteam --protocol iv --amplitude '0.3 V' --set r_off='10 kohm'");
}

}  // namespace tellegen::cli
