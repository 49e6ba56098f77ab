#include "tellegen/circuits/front_end/gate_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

/// Writes down one operating state, pair by pair.
class StateWriter {
 public:
  StateWriter(const ThresholdDesign& design, double x)
      : d_(design),
        s_(design.settings),
        x_(x),
        states_(design.states(x)),
        source_V_(design.source_voltages(states_)),
        mirror_(s_.mirror_transistor(), Temperature::si(design.temperature_K)) {
    out_.output_V = d_.supply_V / 2;
  }

  OperatingState write() {
    for (std::size_t k = 0; k < d_.pairs.size(); ++k) write_pair(k);
    write_base();
    const Band string_A = s_.reference.string_current.band();
    if (!d_.pairs.empty()) {
      from_supply("reference", (1.0 / s_.reference.units) * string_A, "assumed: share of a resistor string");
    }
    if (s_.compares) {
      for (std::size_t m = 0; m < d_.gate.thresholds.size(); ++m) {
        from_supply(fmt::format("comparator {}", m + 1), s_.comparator.bias.band(), "assumed: preamplifier");
      }
    }
    return std::move(out_);
  }

 private:
  double amperes(double y) const { return d_.current_per_y_A * y; }
  bool mirrored() const { return s_.output == GateOutput::mirror; }

  void branch(const std::string& name, const Band& current_A, const std::string& from) {
    out_.branches.push_back({name, current_A, from});
  }
  void element(const std::string& name, double drop_V, double current_A) {
    out_.elements.push_back({name, drop_V, current_A});
  }
  /// A current that passes from supply to ground through parts that are not modelled one by one.
  void from_supply(const std::string& name, const Band& current_A, const std::string& from) {
    branch(name, current_A, from);
    element(name, d_.supply_V, current_A.typical);
  }

  /// Gate-source voltage of a mirror's input; leakage holds it near that of a billionth of the largest current.
  double mirror_V(double i_A) const {
    const double ic = std::max(i_A, 1e-9 * d_.largest_tail_A) / mirror_.specific_current_A();
    return std::max(0.0, mirror_.threshold_V() + mirror_.slope() * d_.thermal_V * ekv::voltage_of_current(ic));
  }

  bool feeds_another(std::size_t k) const {
    return std::ranges::any_of(d_.pairs,
                               [&](const DesignedPair& pair) { return pair.net.stacked_on == static_cast<int>(k); });
  }

  /// The current of one side of a pair: from the supply, a mirror, or the pair above, to the common source.
  void write_side(std::size_t k, int side, double i_A) {
    const std::string name = fmt::format("pair {} side {}", k + 1, side);
    const NetworkPair& net = d_.pairs[k].net;
    if (side == 1 && feeds_another(k)) {
      for (std::size_t above = 0; above < d_.pairs.size(); ++above) {
        if (d_.pairs[above].net.stacked_on != static_cast<int>(k)) continue;
        element(name, source_V_[above] - source_V_[k], i_A);
      }
      return;
    }
    branch(name, Band::exact(i_A), "share of the tail current");
    const bool used = net.weight != 0 && (side == 1 || net.pedestal != 0);
    if (!used || !mirrored()) {
      element(name, d_.supply_V - source_V_[k], i_A);
      return;
    }
    const double diode_V = mirror_V(i_A);
    element(name + " mirror", diode_V, i_A);
    element(name, d_.supply_V - diode_V - source_V_[k], i_A);
    out_.nodes.push_back({name + " mirror", s_.loads.output.band(), diode_V});
    copy(name, i_A, (side == 1) == (net.weight > 0));
  }

  /// Copies a mirror's current into the output, or out of it.
  void copy(const std::string& name, double i_A, bool adds) {
    branch(name + " copy", Band::exact(i_A), "output mirror, ratio 1");
    if (adds) {
      element(name + " copy", d_.supply_V - out_.output_V, i_A);
      out_.delivered_A += i_A;
      return;
    }
    const double diode_V = mirror_V(i_A);
    element(name + " copy", d_.supply_V - diode_V, i_A);
    element(name + " second mirror", diode_V, i_A);
    element(name + " subtracted", out_.output_V, i_A);
    out_.delivered_A -= i_A;
  }

  /// The other end of the tail's mirror.
  void write_tail_source(std::size_t k) {
    const NetworkPair& net = d_.pairs[k].net;
    const std::string name = fmt::format("pair {} tail source", k + 1);
    const double tail_A = amperes(states_[k].tail);
    if (!net.tail.carries_signal()) {
      from_supply(name, Band::exact(tail_A / s_.bias_units), "bias generator, shared");
    } else if (net.tail.split != 0) {
      from_supply(name, Band::exact(tail_A + 2 * amperes(net.tail.quiescent)),
                  "half of a class-AB splitter: copy of the signal and two quiescent currents");
    } else if (s_.signed_tail == SignedTail::gilbert && net.pedestal != 0) {
      from_supply(name, Band::exact(amperes(net.tail.constant) / s_.bias_units),
                  "bias of the signal's pair below, shared");
    } else {
      from_supply(name, Band::exact(tail_A), "input of the mirror that copies signal and bias");
    }
  }

  void write_pair(std::size_t k) {
    const DesignedPair& pair = d_.pairs[k];
    const double tail_A = amperes(states_[k].tail);
    write_side(k, 1, tail_A * states_[k].shares.one);
    write_side(k, 2, tail_A * states_[k].shares.two);
    const std::string name = fmt::format("pair {}", k + 1);
    if (pair.net.stacked_on < 0) {
      element(name + " tail", source_V_[k], tail_A);
      write_tail_source(k);
    }
    if (s_.trim) {
      from_supply(name + " trim", amperes(pair.tail_at_threshold) * s_.trim->current_share.band(),
                  "assumed: share of the tail current");
    }
    out_.nodes.push_back({name + " source", s_.loads.source.band(), std::max(source_V_[k], 0.0)});
    const double area_m2 = (s_.transistor.width * s_.transistor.length).si();
    const double gate_V = pair.common_mode_V +
                          s_.attenuation * pair.volts_per_x * std::clamp(x_, d_.limits.gate_low, d_.limits.gate_high);
    out_.nodes.push_back({name + " gate", area_m2 * s_.loads.gate.band(), std::clamp(gate_V, 0.0, d_.supply_V)});
  }

  void write_base() {
    const double base_A = amperes(d_.base(x_));
    if (d_.network.base_slope == 0 && d_.network.base_constant == 0) return;
    const double size_A = std::abs(base_A);
    const bool shared = d_.network.base_slope == 0;
    from_supply("base source", Band::exact(shared ? size_A / s_.bias_units : size_A),
                shared ? "bias generator, shared" : "copy of the signal");
    if (!mirrored()) {
      from_supply("base", Band::exact(size_A), "current past the pairs");
    } else if (base_A >= 0) {
      branch("base", Band::exact(size_A), "current past the pairs");
      element("base", d_.supply_V - out_.output_V, size_A);
      out_.delivered_A += size_A;
    } else {
      // Drawn out of the output node: no branch of the supply.
      element("base", out_.output_V, size_A);
      out_.delivered_A -= size_A;
    }
  }

  const ThresholdDesign& d_;
  const GateSettings& s_;
  double x_;
  std::vector<PairState> states_;
  std::vector<double> source_V_;
  devices::Mosfet mirror_;
  OperatingState out_;
};

/// What the supply gives when a node goes from one voltage to the other: only upwards costs.
double charge_V(double from_V, double to_V) { return std::max(0.0, to_V - from_V); }

/// Charging out of the supply through what lies between, discharging to ground.
void book_charge(EnergyBook& book, const NodeCharge& from, const NodeCharge& to, double supply_V) {
  const double c_F = to.capacitance_F.typical, v1 = from.node_V, v2 = to.node_V;
  const double stored_J = c_F * (v2 * v2 - v1 * v1) / 2;
  book.stored.push_back({to.name, stored_J});
  if (v2 > v1) {
    book.supplied.push_back({to.name + " charge", c_F * (v2 - v1) * supply_V});
    const double before_J = c_F * (supply_V - v1) * (supply_V - v1) / 2;
    const double after_J = c_F * (supply_V - v2) * (supply_V - v2) / 2;
    book.dissipated.push_back({to.name + " charge", before_J - after_J});
  } else {
    book.dissipated.push_back({to.name + " discharge", c_F * (v1 - v2) * (v1 + v2) / 2});
  }
}

Band latch_energy_J(const ThresholdDesign& design) {
  if (!design.settings.compares) return {};
  const double decisions = static_cast<double>(design.gate.thresholds.size());
  return decisions * design.supply_V * design.supply_V * design.settings.comparator.latch.band();
}

}  // namespace

OperatingState operating_state(const ThresholdDesign& design, double x) { return StateWriter(design, x).write(); }

EnergyBook energy_between(const ThresholdDesign& design, const OperatingState& before, const OperatingState& at,
                          double duration_s) {
  EnergyBook book;
  for (const SupplyBranch& branch : at.branches) {
    book.supplied.push_back({branch.name, design.supply_V * branch.current_A.typical * duration_s});
  }
  for (const Element& element : at.elements) {
    book.dissipated.push_back({element.name, element.drop_V * element.current_A * duration_s});
  }
  book.delivered.push_back({"output", at.output_V * at.delivered_A * duration_s});
  for (std::size_t k = 0; k < at.nodes.size(); ++k) {
    book_charge(book, before.nodes[k], at.nodes[k], design.supply_V);
  }
  const double latch_J = latch_energy_J(design).typical;
  if (latch_J > 0) {
    book.supplied.push_back({"latches", latch_J});
    book.dissipated.push_back({"latches, charged and discharged", latch_J});
  }
  return book;
}

Band charging_energy_J(const ThresholdDesign& design, const OperatingState& before, const OperatingState& at) {
  Band sum = latch_energy_J(design);
  for (std::size_t k = 0; k < at.nodes.size(); ++k) {
    sum += design.supply_V * charge_V(before.nodes[k].node_V, at.nodes[k].node_V) * at.nodes[k].capacitance_F;
  }
  return sum;
}

}  // namespace tellegen::circuits
