// tellegen convert: activations as threshold gates, site by site.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/base/table.h"
#include "tellegen/mapping/conversion.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/engine/experiment.h"
#include "tellegen/sim/engine/network_file.h"

namespace tellegen::cli {
namespace {

struct ConvertOptions {
  std::filesystem::path experiment;
};

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + fmt::format("{:.4g}", value);
  return text.empty() ? "-" : text;
}

std::vector<std::string> cells(const mapping::ConversionSite& site) {
  std::vector<std::string> row{site.activation, site.function, site.reader, site.legal ? "yes" : "no"};
  if (site.gate) {
    const auto& gate = *site.gate;
    const bool hard = gate.kernel == models::gating::Kernel::hard;
    for (const std::string& text :
         {std::string(models::gating::name(models::gating::family(gate))), std::to_string(gate.branches()),
          hard ? std::string("hard") : numbers(gate.tau), numbers(gate.theta),
          site.error == 0 ? std::string("exact") : fmt::format("{:.2g}", site.error), std::to_string(site.parameters)})
      row.push_back(text);
  } else {
    row.insert(row.end(), {"no gate", "", "", "", "", ""});
  }
  row.push_back(site.why);
  return row;
}

void convert(const ConvertOptions& options, std::ostream& out) {
  const sim::ExperimentConfig config = sim::read_experiment(options.experiment);
  const models::Network network = sim::read_network(config.network);
  const std::vector<mapping::ConversionSite> sites = mapping::conversion_sites(network);
  if (sites.empty()) {
    out << "The network '" << network.name << "' has no activation of its own.\n";
    return;
  }
  using Align = Table::Align;
  Table table({{"activation", Align::left},
               {"function", Align::left},
               {"in front of", Align::left},
               {"legal", Align::left},
               {"family", Align::left},
               {"K"},
               {"tau"},
               {"theta"},
               {"error"},
               {"parameters"},
               {"why", Align::left}});
  std::size_t legal = 0;
  for (const mapping::ConversionSite& site : sites) {
    legal += site.legal ? 1 : 0;
    table.row(cells(site));
  }
  out << table.text()
      << fmt::format(
             "{} of {} sites allow a gate in front of the product. error: largest difference on [-8, 8]. parameters: "
             "of "
             "one gate shared by the layer.\n",
             legal, sites.size());
}

}  // namespace

void add_convert(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("convert", "Show which activations can be threshold gates, where, and why.");
  auto options = std::make_shared<ConvertOptions>();
  verb->add_option("experiment", options->experiment, "The experiment, a YAML file.")
      ->required()
      ->type_name("EXPERIMENT.yaml");
  verb->footer(
      "\nExample:\n"
      "  tellegen convert configs/experiments/mbnet_fashion.yaml");
  verb->callback([options, &out] { convert(*options, out); });
}

}  // namespace tellegen::cli
