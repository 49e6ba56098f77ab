#include "tellegen/sim/characterize/circuits/netlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/base/output_file.h"
#include "tellegen/base/table.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/circuits/spice/ekv_deck.h"
#include "tellegen/circuits/spice/ngspice.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {
namespace {

using circuits::BiasedTransistor;
using circuits::GateBias;

/// The transistors and bias of a circuit's file, other settings beside them checked and left aside.
template <class Config>
GateBias bias_of(const char* section, const Circuit& circuit, const Overrides& settings) {
  read_single<Config>(section, circuit.smallest_yaml, settings);
  struct File {
    std::string name;
    GateBias bias;
    Current leakage;
    void settings(Settings& v) {
      v("circuit", name, "the circuit");
      bias.settings(v);
      v("leakage", leakage, "of a transistor that is off");
    }
  };
  return read_single<File>(section, circuit.smallest_yaml, settings).config.bias;
}

Netlist softmax_netlist(const GateBias& bias, Temperature temperature) {
  const BiasedTransistor transistor(bias, temperature);
  const std::array z{0.3, -1.2, 2.0, 0.7, -0.5}, none{0.0, 0.0, 0.0, 0.0, 0.0}, size{1.0, 1.0, 1.0, 1.0, 1.0};
  const double unit_V = transistor.slope * transistor.thermal_V;
  Netlist netlist;
  netlist.point = "z = 0.3, -1.2, 2, 0.7, -0.5";
  std::array<double, 5> gate_V{}, v{}, i{};
  for (std::size_t k = 0; k < z.size(); ++k) {
    gate_V[k] = 0.6 * bias.supply_V() + transistor.volts_per_x * (z[k] - 2);
    v[k] = (gate_V[k] - transistor.mosfet.threshold_V()) / unit_V;
    netlist.outputs.push_back(fmt::format("transistor {}", k + 1));
  }
  circuits::split_tail(v, size, transistor.tail, i);
  for (const double one : i) netlist.ours_A.push_back(one * transistor.spec_A);
  netlist.deck = circuits::source_coupled_deck(transistor.mosfet, gate_V, none, size, bias.bias.si(), bias.supply_V());
  return netlist;
}

Netlist translinear_netlist(const GateBias& bias, Temperature temperature) {
  const BiasedTransistor transistor(bias, temperature);
  const double x = std::asinh(1.0), dv = 2 * transistor.per_x * x;
  const auto point = circuits::translinear_gate(dv, transistor.tail);
  Netlist netlist;
  netlist.point = fmt::format("x = {:.4f}, the peak of the gate", x);
  netlist.outputs = {"plus", "minus"};
  netlist.ours_A = {transistor.spec_A * point.i_plus, transistor.spec_A * point.i_minus};
  netlist.deck = circuits::translinear_deck(transistor.mosfet, dv * transistor.slope * transistor.thermal_V,
                                            bias.bias.si(), bias.supply_V());
  return netlist;
}

}  // namespace

std::optional<double> Netlist::largest_difference() const {
  if (!ngspice_A) return std::nullopt;
  double worst = 0;
  for (std::size_t k = 0; k < ours_A.size(); ++k) worst = std::max(worst, std::abs(ours_A[k] - (*ngspice_A)[k]));
  return worst / bias_A;
}

Netlist netlist_of(const Circuit& circuit, const Overrides& settings, Temperature temperature,
                   const std::filesystem::path& folder) {
  Netlist netlist;
  GateBias bias;
  if (circuit.name == "softmax_array") {
    bias = bias_of<circuits::SoftmaxConfig>("softmax", circuit, settings);
    netlist = softmax_netlist(bias, temperature);
  } else if (circuit.name == "memglu_translinear") {
    bias = bias_of<circuits::FrontEndConfig>("front_end", circuit, settings);
    netlist = translinear_netlist(bias, temperature);
  } else {
    throw InputError(fmt::format("'{}' has no netlist; allowed: softmax_array, memglu_translinear.", circuit.name));
  }
  netlist.circuit = circuit.name;
  netlist.bias_A = bias.bias.si();
  netlist.ngspice_A = circuits::run_ngspice(netlist.deck, folder);
  return netlist;
}

std::string write(const Netlist& netlist, const std::filesystem::path& folder) {
  std::string name = netlist.circuit + ".cir";
  write_text_file(folder / name, netlist.deck.text);
  return name;
}

std::string text_of(const Netlist& netlist) {
  Table table({{"output", Table::Align::left}, {"here (A)"}, {"ngspice (A)"}});
  for (std::size_t k = 0; k < netlist.outputs.size(); ++k) {
    table.row({netlist.outputs[k], fmt::format("{:.10g}", netlist.ours_A[k]),
               netlist.ngspice_A ? fmt::format("{:.10g}", (*netlist.ngspice_A)[k]) : "-"});
  }
  const auto difference = netlist.largest_difference();
  return netlist.circuit + " at " + netlist.point + "\n" + table.text() +
         (difference ? fmt::format("largest difference {:.1e} of the bias\n", *difference)
                     : "ngspice was not found on PATH: install it to compare.\n");
}

}  // namespace tellegen::characterize
