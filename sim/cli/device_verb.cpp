// tellegen device: the catalogue of devices.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/base/table.h"
#include "tellegen/devices/conductance_device.h"
#include "tellegen/sim/cli/manual.h"
#include "tellegen/sim/cli/verbs.h"

namespace tellegen::cli {
namespace {

/// The settings of one model, as a configuration of its own.
struct ModelSettings {
  std::shared_ptr<devices::DeviceParameters> parameters;
  void settings(Settings& v) { parameters->settings(v); }
};

std::string list_text() {
  Table table({{"device", Table::Align::left}, {"what", Table::Align::left}});
  for (const devices::DeviceEntry& entry : devices::device_catalog()) table.row({entry.name, entry.summary});
  return table.text();
}

std::string description(const std::string& name) {
  const devices::DeviceEntry& entry = devices::find_device(name);
  return entry.name + ": " + entry.summary + "\nsource: " + entry.source + "\nsmallest use: " + entry.smallest_yaml +
         "\n\nsettings\n" + manual_text(config_manual(ModelSettings{entry.defaults()}), "");
}

}  // namespace

void add_device(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("device", "List the devices that cells are made of, or describe one.");
  verb->require_subcommand(1);
  verb->add_subcommand("list", "List all devices.")->callback([&out] { out << list_text(); });
  CLI::App* describe = verb->add_subcommand("describe", "Source and settings of one device.");
  auto name = std::make_shared<std::string>();
  describe->add_option("name", *name, "Name of the device.")->required()->type_name("NAME");
  describe->callback([name, &out] { out << description(*name); });
  verb->footer(
      "\nExamples:\n"
      "  tellegen device list\n"
      "  tellegen device describe pcm_joshi");
}

}  // namespace tellegen::cli
