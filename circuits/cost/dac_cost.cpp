#include "tellegen/circuits/cost/dac_cost.h"

#include <fmt/format.h>

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/price_range.h"

namespace tellegen::circuits {
namespace {

// A rung connects its bit by one unit and its neighbours by two: the matrix has 5 on the diagonal, 4 at the terminated
// least significant end, 3 at the output, -2 beside it (in half units: a 2C rung is two units).
std::vector<double> solve_ladder(std::vector<double> right) {
  const std::size_t n = right.size();
  if (n == 1) return {right[0] / 2};  // both ends at once: its bit and the termination
  std::vector<double> diagonal(n, 5.0);
  diagonal.front() = 4;
  diagonal.back() = 3;
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = -2 / diagonal[i - 1];
    diagonal[i] += 2 * factor;
    right[i] -= factor * right[i - 1];
  }
  right[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) right[i] = (right[i] + 2 * right[i + 1]) / diagonal[i];
  return right;
}

Price start(const LawOrigin& origin, Length node) {
  Price price;
  price.from = origin.provenance(origin.node ? origin.node->in(units::nm) : node.in(units::nm));
  return price;
}

}  // namespace

std::vector<double> ladder_nodes(int bits, std::uint32_t code) {
  TELLEGEN_ASSERT(bits >= 1 && bits <= 24);
  std::vector<double> right(static_cast<std::size_t>(bits));
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = (code >> i) & 1U;
  return solve_ladder(std::move(right));
}

double ladder_load(int bits, std::uint32_t code) {
  const std::vector<double> nodes = ladder_nodes(bits, code);
  double load = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if ((code >> i) & 1U) load += 1 - nodes[i];
  }
  return load;
}

// Bits are independent and one half on average: E[b_i b_j] = 1/4, 1/2 for i = j, and v is linear in b.
double mean_ladder_load(int bits) {
  double load = bits / 2.0;
  for (int j = 0; j < bits; ++j) {
    const std::vector<double> response = ladder_nodes(bits, 1U << j);
    for (int i = 0; i < bits; ++i) load -= response[static_cast<std::size_t>(i)] * (i == j ? 0.5 : 0.25);
  }
  return load;
}

void CapacitorRule::settings(Settings& v) {
  v("source", source, "key in sources.yaml", required());
  v("node", node, "where the density is stated", required(positive()));
  v("density", density, "capacitance per area; inversely proportional to the node", required(positive()));
  v("border", border, "around each capacitor; proportional to the node squared", required(positive()));
}

Area CapacitorRule::area(double capacitance_F, int capacitors, Length at) const {
  const double ratio = at / node;
  return Area::si(capacitance_F * ratio / density.si() + capacitors * border.si() * ratio * ratio);
}

void ZigzagDacLaw::settings(Settings& v) {
  origin.settings(v);
  v("per_bit", per_bit, "capacitance switched per bit", required(positive()));
  v("supply", supply, "what it is switched at", required(positive()));
  v.require(origin.node.has_value(), "node", "is missing: this law is stated at one node.");
}

void LadderLaw::settings(Settings& v) {
  origin.settings(v);
  v("unit_capacitance", unit_capacitance, "C of a C-2C ladder", required(positive()));
  v("unit_resistance", unit_resistance, "R of an R-2R ladder", required(positive()));
  v("unit_resistor_area", unit_resistor_area, "of one ohm at the node of the source", required(positive()));
  v("controller", controller, "farad per square metre of node and bit: what driving the bits takes",
    required(positive()));
  v.require(origin.node.has_value(), "node", "is missing: the resistor area is stated at one node.");
}

Energy LadderLaw::controller_energy(int bits, Voltage supply, Length node) const {
  const double product = supply.si() * node.si();
  return Energy::si(product * product * bits * controller);
}

void PulseWidthLaw::settings(Settings& v) {
  v("entry", entry, "name of the priced converter", required());
  v("bits", bits, "its resolution", required(between(1, 16)));
  v("step", step, "length of one step of the pulse", required(positive()));
  v("step_source", step_source, "key in sources.yaml", required());
}

void DacTable::settings(Settings& v) {
  v.section("capacitor", capacitor, "area of capacitors");
  v.section("zigzag_2023", zigzag, "capacitive DAC, capacitance per bit");
  v.section("ladder", ladder, "C-2C and R-2R ladders");
  v.section("pulse_width", pulse_width, "pulse-width modulation");
  v("one_bit", one_bit, "entry of the one-bit row driver", required());
  v("published", published, "entry of the 8-bit capacitive DAC that brahms_2021 stands for", required());
  v.list_of_sections("entries", entries, "priced parts");
}

Price zigzag_dac_price(const DacTable& table, int bits, Length node) {
  const ZigzagDacLaw& law = table.zigzag;
  Price price = start(law.origin, node);
  const double supply_V = law.supply.si();
  price.energy_J = law.origin.energy(law.per_bit.si() * bits * supply_V * supply_V);
  // The source counts no area; its capacitors take at least that of the process.
  price.area_m2 = law.origin.area(table.capacitor.area(law.per_bit.si() * bits, bits, node).si());
  price.from.source += " + " + table.capacitor.source;
  price.formula = "per_bit_F * bits * supply_V^2";
  price.inputs = {{"per_bit_F", law.per_bit.si()}, {"bits", bits}, {"supply_V", supply_V}};
  warn_about_node(price, "zigzag_2023", *law.origin.node, node);
  return price;
}

Price c2c_price(const DacTable& table, int bits, Length node, Voltage supply) {
  const LadderLaw& law = table.ladder;
  Price price = start(law.origin, node);
  const double c_F = law.unit_capacitance.si(), v_V = supply.si();
  const double controller_J = law.controller_energy(bits, supply, node).si();
  const double load = mean_ladder_load(bits);
  price.energy_J = law.origin.energy(c_F * v_V * v_V * load + controller_J);
  price.area_m2 = law.origin.area(table.capacitor.area(3 * c_F * bits, 2 * bits, node).si());
  price.from.node_nm = node.in(units::nm);
  price.from.scaling = "none: the law takes the node";
  price.from.source += " + " + table.capacitor.source;
  price.formula = "unit_F * supply_V^2 * mean_load + controller_J";
  price.inputs = {
      {"unit_F", c_F}, {"supply_V", v_V}, {"bits", bits}, {"mean_load", load}, {"controller_J", controller_J}};
  return price;
}

Price r2r_price(const DacTable& table, int bits, Length node, Voltage supply, Time pulse) {
  const LadderLaw& law = table.ladder;
  Price price = start(law.origin, node);
  const double r_ohm = law.unit_resistance.si(), v_V = supply.si(), load = mean_ladder_load(bits);
  const double controller_J = law.controller_energy(bits, supply, node).si();
  const double ratio = node / *law.origin.node;
  price.energy_J = law.origin.energy(v_V * v_V / (2 * r_ohm) * load * pulse.si() + controller_J);
  price.area_m2 = law.origin.area(law.unit_resistor_area.si() * ratio * ratio * bits * 3 * r_ohm);
  price.latency_s = pulse.si();
  price.from.node_nm = node.in(units::nm);
  price.from.scaling = "none: the law takes the node";
  price.formula = "supply_V^2 / (2 * unit_ohm) * mean_load * pulse_s + controller_J";
  price.inputs = {{"unit_ohm", r_ohm}, {"supply_V", v_V},       {"bits", bits},
                  {"mean_load", load}, {"pulse_s", pulse.si()}, {"controller_J", controller_J}};
  return price;
}

Price pulse_width_price(const DacTable& table, const Price& entry, int bits) {
  const PulseWidthLaw& law = table.pulse_width;
  const double steps = std::exp2(bits) - 1, steps_of_entry = std::exp2(law.bits) - 1;
  Price price = entry;
  price.energy_J = steps / steps_of_entry * entry.energy_J;
  price.latency_s = steps * law.step.si();
  price.from.source += " + " + law.step_source;
  price.formula = "entry_J * (2^bits - 1) / (2^bits_of_entry - 1)";
  price.inputs = {{"entry_J", entry.energy_J.typical}, {"bits", bits}, {"bits_of_entry", law.bits}};
  if (bits != law.bits) {
    price.from.warnings.push_back(fmt::format(
        "pwm is published for {} bits: {} bits are extrapolated in proportion to the steps.", law.bits, bits));
  }
  return price;
}

}  // namespace tellegen::circuits
