// Transistors: drain current against gate and drain voltage.

#include <fmt/format.h>

#include "tellegen/devices/mosfet/mosfet.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {
namespace {

constexpr std::size_t points = 161;
constexpr double small_drain_V = 0.05;

plot::Panel transfer(const devices::Mosfet& transistor, double supply_V, Characterization& result) {
  const std::vector<double> gate_V = evenly(0, supply_V, points);
  DataTable table{"transfer", {{"v_gate", "V", {}}, {"v_drain", "V", {}}, {"current", "A", {}}}};
  plot::Panel panel{"source at the bulk", {"gate voltage", "V"}, {"drain current (A)", "", true}, {}};
  for (const double drain_V : {supply_V, small_drain_V}) {
    plot::Series series{fmt::format("V_D = {:.3g} V", drain_V), gate_V, {}};
    for (const double v : gate_V) {
      series.y.push_back(transistor.current_A(v, 0, drain_V));
      table.columns[0].values.push_back(v);
      table.columns[1].values.push_back(drain_V);
      table.columns[2].values.push_back(series.y.back());
    }
    panel.series.push_back(std::move(series));
  }
  result.tables.push_back(std::move(table));
  return panel;
}

plot::Panel output(const devices::Mosfet& transistor, double supply_V, Characterization& result) {
  const std::vector<double> drain_V = evenly(0, supply_V, points);
  DataTable table{"output", {{"v_gate", "V", {}}, {"v_drain", "V", {}}, {"current", "A", {}}}};
  plot::Panel panel{"source at the bulk", {"drain voltage", "V"}, {"drain current", "A", false, true, 0.0}, {}};
  for (const double share : {1.0, 0.9, 0.8, 0.7, 0.6}) {
    const double gate_V = share * supply_V;
    plot::Series series{fmt::format("V_G = {:.3g} V", gate_V), drain_V, {}};
    for (const double v : drain_V) {
      series.y.push_back(transistor.current_A(gate_V, 0, v));
      table.columns[0].values.push_back(gate_V);
      table.columns[1].values.push_back(v);
      table.columns[2].values.push_back(series.y.back());
    }
    panel.series.push_back(std::move(series));
  }
  result.tables.push_back(std::move(table));
  return panel;
}

}  // namespace

void transistor_iv(const Device& device, const Request& request, Characterization& result) {
  auto file = read_single<devices::MosfetConfig>("mosfet", device.smallest_yaml, request.settings);
  result.settings = write_config(file);
  const devices::Mosfet transistor(file.config, Temperature::si(300));
  const double supply_V = request.amplitude ? request.amplitude->si() : file.config.card.supply.si();
  const std::string size = format(file.config.width) + " / " + format(file.config.length);
  result.figure = {fmt::format("{}: W / L = {}, 300 K", device.name, size),
                   {transfer(transistor, supply_V, result), output(transistor, supply_V, result)}};
  result.findings.push_back(
      fmt::format("W / L = {} carries {} at {:.3g} V on gate and drain and {} at zero gate voltage.", size,
                  format_quantity(transistor.current_A(supply_V, 0, supply_V), Current::dimension), supply_V,
                  format_quantity(transistor.current_A(0, 0, supply_V), Current::dimension)));
}

}  // namespace tellegen::characterize
