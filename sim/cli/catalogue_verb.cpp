#include "tellegen/sim/cli/catalogue_verb.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "tellegen/sim/engine/run.h"
#include "tellegen/sim/report/plot/gnuplot.h"

namespace tellegen::cli {

void add_protocol_options(CLI::App& verb, const std::string& thing, const std::string& protocols,
                          ProtocolOptions& options) {
  verb.add_option("name", options.name, "Name of the " + thing + ".")->required()->type_name("NAME");
  verb.add_option("--protocol", options.protocol, protocols)->required()->type_name("NAME");
  verb.add_option("--plot", options.plot, "Draw the figure as this file (needs gnuplot).")
      ->type_name("FILE.svg|FILE.png");
}

void add_seed_and_output_options(CLI::App& verb, ProtocolOptions& options) {
  verb.add_option("--seed", options.seed, "Of all draws.")->capture_default_str();
  add_output_options(verb, options.shared);
}

void write_measured(const ProtocolOptions& options, const std::function<characterize::Characterization()>& measure,
                    std::ostream& out) {
  if (!options.plot.empty()) plot::require_figure_format(options.plot);
  characterize::Characterization result = measure();
  result.version = sim::version();
  const std::filesystem::path folder = options.shared.output_folder(options.name + "_" + options.protocol);
  const std::vector<std::string> written = characterize::write(result, folder);
  const auto say = [&](const std::string& text) {
    if (!options.shared.quiet) out << text << "\n";
  };
  for (const std::string& finding : result.findings) say(finding);
  say("wrote " + joined(written) + " to " + folder.string());
  if (options.plot.empty()) return;
  const bool drawn = plot::draw(result.figure, options.plot) == plot::Drawn::yes;
  say(drawn ? "drew " + options.plot : plot::missing_gnuplot_message(options.plot));
}

}  // namespace tellegen::cli
