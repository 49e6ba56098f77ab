// tellegen device: the catalogue of element models; what one of them is, and what it does.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "tellegen/base/error.h"
#include "tellegen/base/table.h"
#include "tellegen/devices/memristor/branch_table.h"
#include "tellegen/sim/characterize/catalogue.h"
#include "tellegen/sim/cli/manual.h"
#include "tellegen/sim/cli/paragraph.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/engine/run.h"
#include "tellegen/sim/report/plot/gnuplot.h"

namespace tellegen::cli {
namespace {

using characterize::Device;

/// One table per kind.
std::string list_text() {
  std::string text;
  const std::vector<Device>& all = characterize::devices();
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(), [&](const Device& other) { return other.kind != first->kind; });
    text += (text.empty() ? "" : "\n") + std::string(kind_name(first->kind)) +
            "s; protocols: " + joined(first->protocols) + "\n";
    Table table({{"device", Table::Align::left}, {"what", Table::Align::left}});
    for (; first != last; ++first) table.row({first->name, first->summary});
    text += table.text();
  }
  return text;
}

std::string description(const Device& device) {
  return device.name + ": " + kind_name(device.kind) + "\n" + paragraph(device.summary) + "\nequations\n" +
         paragraph(device.equations) + "\nsource\n" + paragraph(device.source) + "\nsmallest use\n  " +
         device.smallest_yaml + "\n\nprotocols of 'tellegen device characterize " + device.name + "'\n  " +
         joined(device.protocols) + "\n\nsettings\n" + manual_text(settings_of(device), "");
}

struct Options {
  std::string name, protocol, plot, amplitude, frequency;
  std::uint64_t seed = 1;
  SharedOptions shared;
};

/// A quantity of the command line; the message names the option.
template <class Q>
std::optional<Q> positive_quantity(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  try {
    value = parse_quantity(text, Q::dimension);
  } catch (const UnitError& error) {
    throw InputError(std::string(option) + " = '" + text + "' " + error.reason());
  }
  if (!(value > 0)) {
    throw InputError(std::string(option) + " = '" + text + "' is out of range; allowed: above 0.");
  }
  return Q::si(value);
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
  if (!options.plot.empty()) plot::require_figure_format(options.plot);
  auto result = characterize::characterize(device, options.protocol, request_of(options));
  result.version = sim::version();
  const std::filesystem::path folder = options.shared.output_folder(device.name + "_" + options.protocol);
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

void add_characterize(CLI::App& verb, std::ostream& out) {
  CLI::App* characterize = verb.add_subcommand("characterize", "Measure one device by a protocol.");
  auto options = std::make_shared<Options>();
  characterize->add_option("name", options->name, "Name of the device.")->required()->type_name("NAME");
  characterize->add_option("--protocol", options->protocol, "iv, pulses, retention, read, branches or pe-loop.")
      ->required()
      ->type_name("NAME");
  characterize->add_option("--plot", options->plot, "Draw the figure as this file (needs gnuplot).")
      ->type_name("FILE.svg|FILE.png");
  characterize->add_option("--amplitude", options->amplitude, "Largest voltage, for example '0.5 V'.")
      ->type_name("VOLTAGE");
  characterize->add_option("--frequency", options->frequency, "Of a sinusoid, for example '10 Hz'.")
      ->type_name("FREQUENCY");
  characterize->add_option("--seed", options->seed, "Of all draws.")->capture_default_str();
  add_output_options(*characterize, options->shared);
  characterize->callback([options, &out] { characterize_device(*options, out); });
}

}  // namespace

void add_device(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("device", "List, describe or measure the devices that circuits are made of.");
  verb->require_subcommand(1);
  verb->add_subcommand("list", "List all devices.")->callback([&out] { out << list_text(); });
  CLI::App* describe = verb->add_subcommand("describe", "Equations, source and settings of one device.");
  auto name = std::make_shared<std::string>();
  describe->add_option("name", *name, "Name of the device.")->required()->type_name("NAME");
  describe->callback([name, &out] { out << description(characterize::find(*name)); });
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
