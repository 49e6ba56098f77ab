// Transistors: drain current against gate and drain voltage. p-channel ones are swept below their source; tables hold
// the signs, figures the sizes.

#include <fmt/format.h>

#include "tellegen/devices/mosfet/mosfet.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {
namespace {

constexpr std::size_t points = 161;
constexpr double small_drain_V = 0.05;

double sign_of(const devices::Mosfet& transistor) { return devices::sign_of(transistor.channel()); }

/// "gate voltage", or that of the p-channel transistor with changed sign.
std::string axis(const devices::Mosfet& transistor, const std::string& quantity) {
  return sign_of(transistor) < 0 ? "minus " + quantity : quantity;
}

plot::Panel transfer(const devices::Mosfet& transistor, double supply_V, Characterization& result) {
  const double sign = sign_of(transistor);
  const std::vector<double> gate_V = evenly(0, supply_V, points);
  DataTable table{"transfer", {{"v_gate", "V", {}}, {"v_drain", "V", {}}, {"current", "A", {}}}};
  plot::Panel panel{"source at the bulk",
                    {axis(transistor, "gate voltage"), "V"},
                    {axis(transistor, "drain current") + " (A)", "", true},
                    {}};
  for (const double drain_V : {supply_V, small_drain_V}) {
    plot::Series series{fmt::format("V_D = {:.3g} V", sign * drain_V), gate_V, {}};
    for (const double v : gate_V) {
      const double current_A = transistor.current_A(sign * v, 0, sign * drain_V);
      series.y.push_back(sign * current_A);
      table.columns[0].values.push_back(sign * v);
      table.columns[1].values.push_back(sign * drain_V);
      table.columns[2].values.push_back(current_A);
    }
    panel.series.push_back(std::move(series));
  }
  result.tables.push_back(std::move(table));
  return panel;
}

plot::Panel output(const devices::Mosfet& transistor, double supply_V, Characterization& result) {
  const double sign = sign_of(transistor);
  const std::vector<double> drain_V = evenly(0, supply_V, points);
  DataTable table{"output", {{"v_gate", "V", {}}, {"v_drain", "V", {}}, {"current", "A", {}}}};
  plot::Panel panel{"source at the bulk",
                    {axis(transistor, "drain voltage"), "V"},
                    {axis(transistor, "drain current"), "A", false, true, 0.0},
                    {}};
  for (const double share : {1.0, 0.9, 0.8, 0.7, 0.6}) {
    const double gate_V = share * supply_V;
    plot::Series series{fmt::format("V_G = {:.3g} V", sign * gate_V), drain_V, {}};
    for (const double v : drain_V) {
      const double current_A = transistor.current_A(sign * gate_V, 0, sign * v);
      series.y.push_back(sign * current_A);
      table.columns[0].values.push_back(sign * gate_V);
      table.columns[1].values.push_back(sign * v);
      table.columns[2].values.push_back(current_A);
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
  const double sign = sign_of(transistor);
  const std::string size = format(file.config.width) + " / " + format(file.config.length);
  result.figure = {fmt::format("{}: W / L = {}, 300 K", device.name, size),
                   {transfer(transistor, supply_V, result), output(transistor, supply_V, result)}};
  result.findings.push_back(
      fmt::format("W / L = {} carries {} at {:.3g} V on gate and drain and {} at zero gate voltage.", size,
                  format_quantity(transistor.current_A(sign * supply_V, 0, sign * supply_V), Current::dimension),
                  sign * supply_V, format_quantity(transistor.current_A(0, 0, sign * supply_V), Current::dimension)));
}

}  // namespace tellegen::characterize
