// Conductance devices: where programming takes cells, and what it costs where pulses are counted.

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/sim/characterize/conductance_levels.h"

namespace tellegen::characterize {
namespace {

/// One row per level: mean and spread of what was reached, and the pulses of one cell where they are counted.
DataTable programmed_levels(const devices::ConductanceDevice& model, const Request& request,
                            devices::PulseCount& pulses) {
  DataTable table{"levels",
                  {{"target", "S", {}},
                   {"mean", "S", {}},
                   {"error_mean", "S", {}},
                   {"error_sigma", "S", {}},
                   {"pulses_per_cell", "1", {}},
                   {"reads_per_cell", "1", {}},
                   {"energy_per_cell", "J", {}},
                   {"time_per_cell", "s", {}},
                   {"unconverged", "1", {}}}};
  const std::vector<double> levels_S = levels_of(model, 33);
  for (std::size_t l = 0; l < levels_S.size(); ++l) {
    const auto cells = model.program(targets(levels_S[l]), address_of(request, l));
    const Spread reached = spread_of(cells.g_S);
    const devices::PulseCount& count = cells.pulses;
    const double per_cell = count.cells > 0 ? 1 / static_cast<double>(count.cells) : 0;
    const auto share = [&](std::uint64_t n) { return static_cast<double>(n) * per_cell; };
    const double row[] = {levels_S[l],
                          reached.mean,
                          reached.mean - levels_S[l],
                          reached.sigma,
                          share(count.pulses),
                          share(count.reads),
                          count.energy_J * per_cell,
                          count.time_s * per_cell,
                          share(count.unconverged)};
    for (std::size_t c = 0; c < table.columns.size(); ++c) table.columns[c].values.push_back(row[c]);
    pulses += count;
  }
  if (pulses.cells == 0) table.columns.resize(4);
  return table;
}

plot::Panel error_panel(const DataTable& levels) {
  const std::vector<double>& target_S = levels.columns[0].values;
  plot::Panel panel{"programming error", {"target", "S"}, {"error", "S"}, {}};
  panel.series.push_back({"standard deviation", target_S, levels.columns[3].values, {}, plot::Style::line_points, 0});
  panel.series.push_back({"mean", target_S, levels.columns[2].values, {}, plot::Style::dashed, 1});
  return panel;
}

}  // namespace

void conductance_programming(const Device& device, const Request& request, Characterization& result) {
  auto file = read_single<devices::DeviceConfig>("device", device.smallest_yaml, request.settings);
  result.settings = write_config(file);
  const auto model = file.config.make();
  devices::PulseCount pulses;
  DataTable levels = programmed_levels(*model, request, pulses);
  const std::vector<double>& sigma_S = levels.columns[3].values;
  result.findings.push_back(
      fmt::format("{} cells at each of {} levels end within {} (standard deviation, the widest level) "
                  "of their mean.",
                  cells_per_level, sigma_S.size(), in_uS(*std::max_element(sigma_S.begin(), sigma_S.end()))));
  result.figure = {device.name + ": programming", {error_panel(levels)}};
  if (pulses.cells > 0) {
    const double cells = static_cast<double>(pulses.cells);
    result.findings.push_back(
        fmt::format("A cell takes {:.3g} pulses and {:.3g} verify reads, {} and {} on average; {:.3g} % of the cells "
                    "do not converge.",
                    static_cast<double>(pulses.pulses) / cells, static_cast<double>(pulses.reads) / cells,
                    format_quantity(pulses.energy_J / cells, Energy::dimension),
                    format_quantity(pulses.time_s / cells, Time::dimension),
                    100 * static_cast<double>(pulses.unconverged) / cells));
    result.figure.panels.push_back(
        {"pulses",
         {"target", "S"},
         {"pulses per cell", "", false, false, 0.0},
         {{"", levels.columns[0].values, levels.columns[4].values, {}, plot::Style::line_points, 2}}});
  } else {
    result.findings.push_back(
        "This device is a law of what programming reaches, without pulses; write_verified programs pulse by pulse.");
  }
  result.tables.push_back(std::move(levels));
}

}  // namespace tellegen::characterize
