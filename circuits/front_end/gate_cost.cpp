#include "tellegen/circuits/front_end/gate_cost.h"

#include <cmath>

#include "tellegen/circuits/front_end/gate_energy.h"
#include "tellegen/circuits/front_end/gate_speed.h"

namespace tellegen::circuits {
namespace {

double gate_area_m2(const TransistorSize& size) { return (size.width * size.length).si(); }

/// How many transistors of the sizes of tail and mirror a gate has, and how many pairs and splitter halves.
struct Inventory {
  double pairs = 0, tails = 0, mirrors = 0;
};

bool has_base(const ThresholdDesign& design) {
  return design.network.base_slope != 0 || design.network.base_constant != 0;
}

double output_mirrors(const NetworkPair& net) {
  if (net.weight == 0) return 0;
  constexpr double adding = 2, subtracting = 4;
  const double one = net.weight > 0 ? adding : subtracting;
  return net.pedestal != 0 ? adding + subtracting : one;
}

Inventory inventory_of(const ThresholdDesign& design) {
  const GateSettings& s = design.settings;
  Inventory count;
  for (const DesignedPair& pair : design.pairs) {
    const TailLaw& tail = pair.net.tail;
    count.pairs += 1;
    if (s.output == GateOutput::mirror) count.mirrors += output_mirrors(pair.net);
    if (pair.net.stacked_on >= 0) continue;
    count.tails += 1 + (tail.carries_signal() ? 1.0 : 1.0 / s.bias_units);
    if (tail.split != 0) count.mirrors += 2;
    if (tail.carries_signal() && pair.net.pedestal != 0) count.pairs += 0.5;
  }
  if (has_base(design)) count.mirrors += 2;
  return count;
}

std::vector<AreaPart> areas_of(const ThresholdDesign& design) {
  const GateSettings& s = design.settings;
  const Inventory count = inventory_of(design);
  const Band layout = s.layout_factor.band();
  const TransistorSize pair{s.transistor.width, s.transistor.length};
  const double pairs = static_cast<double>(design.pairs.size());
  const double thresholds = static_cast<double>(design.gate.thresholds.size());
  std::vector<AreaPart> parts{
      {"pairs", 2 * count.pairs * gate_area_m2(pair) * layout, "gate areas times layout factor"},
      {"tails", count.tails * gate_area_m2(s.tail) * layout, "gate areas times layout factor"},
      {"mirrors", count.mirrors * gate_area_m2(s.mirror) * layout, "gate areas times layout factor"},
      {"reference switches", thresholds * s.reference.bits * s.reference.area_per_tap.band(), "assumed"},
      {"reference hold",
       thresholds * Band{s.reference.hold.si() / s.loads.gate.high.si(),
                         s.reference.hold.si() / s.loads.gate.typical.si(),
                         s.reference.hold.si() / s.loads.gate.low.si()},
       "capacitance over that of a gate per area"}};
  if (s.trim) {
    const double bits = pairs * (s.trim->bits + s.trim->gain_bits) + (has_base(design) ? s.trim->gain_bits : 0);
    parts.push_back({"trim", bits * s.trim->area_per_bit.band(), "assumed"});
  }
  if (s.compares) {
    parts.push_back({"comparator inputs", 2 * thresholds * gate_area_m2(s.comparator.input) * layout,
                     "gate areas times layout factor"});
    parts.push_back({"comparators", thresholds * s.comparator.area.band(), "assumed"});
  }
  return parts;
}

/// Mean of both lists, branch by branch.
std::vector<SupplyBranch> mean_branches(const OperatingState& a, const OperatingState& b) {
  std::vector<SupplyBranch> out;
  // A base that changes sign has no branch where it draws from the output: lists are joined by name.
  const auto add = [&](const SupplyBranch& branch) {
    for (SupplyBranch& known : out) {
      if (known.name != branch.name) continue;
      known.current_A += 0.5 * branch.current_A;
      return;
    }
    out.push_back({branch.name, 0.5 * branch.current_A, branch.from});
  };
  for (const SupplyBranch& branch : a.branches) add(branch);
  for (const SupplyBranch& branch : b.branches) add(branch);
  return out;
}

void add_times(FrontEndCost& cost, const ThresholdDesign& design) {
  const GateSettings& s = design.settings;
  cost.loads = gate_loads(design);
  const TwoPoles typical = gate_poles(cost.loads, Corner::typical);
  cost.bandwidth_Hz = typical.bandwidth_Hz();
  cost.settling_s = {gate_poles(cost.loads, Corner::low).settling_s(s.settled_bits), typical.settling_s(s.settled_bits),
                     gate_poles(cost.loads, Corner::high).settling_s(s.settled_bits)};
  if (s.compares) cost.settling_s += Band::exact(s.comparator.delay.si());
  cost.evaluation_s = s.evaluation ? s.evaluation->si() : cost.settling_s.typical;
}

std::vector<std::string> assumptions_of(const GateSettings& s) {
  std::vector<std::string> out{
      "Units are on only while they are evaluated.", "Supply currents are those of signals of unit variance.",
      "Currents that are subtracted pass a second mirror, taken to be as noisy and inexact as the first one.",
      "Layout takes a multiple of the gate areas; loads, reference and trimming are assumed, each with low and high."};
  if (s.compensation == Compensation::ptat_bias) {
    out.emplace_back("What follows is biased from the same current, so that a larger bias is no gain.");
  }
  return out;
}

}  // namespace

FrontEndCost gate_cost(const ThresholdDesign& design) {
  FrontEndCost cost;
  cost.supply_V = design.supply_V;
  const OperatingState low = operating_state(design, -1), high = operating_state(design, 1);
  cost.branches = mean_branches(low, high);
  for (const SupplyBranch& branch : cost.branches) cost.power_W += design.supply_V * branch.current_A;
  add_times(cost, design);
  cost.dynamic_J = 0.5 * (charging_energy_J(design, low, high) + charging_energy_J(design, high, low));
  const Band busy_s = design.settings.evaluation ? Band::exact(cost.evaluation_s) : cost.settling_s;
  cost.energy_J =
      Band{cost.power_W.low * busy_s.low, cost.power_W.typical * busy_s.typical, cost.power_W.high * busy_s.high} +
      cost.dynamic_J;
  cost.areas = areas_of(design);
  for (const AreaPart& part : cost.areas) cost.area_m2 += part.area_m2;
  cost.assumptions = assumptions_of(design.settings);
  return cost;
}

}  // namespace tellegen::circuits
