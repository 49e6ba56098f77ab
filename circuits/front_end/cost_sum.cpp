#include "tellegen/circuits/front_end/cost_sum.h"

#include <cmath>
#include <numbers>

namespace tellegen::circuits {

void sum_costs(FrontEndCost& cost, int settled_bits, double swing_V) {
  cost.power_W = cost.dynamic_J = cost.area_m2 = {};
  Band time_constant_s;
  for (const SupplyBranch& branch : cost.branches) cost.power_W += cost.supply_V * branch.current_A;
  for (const Load& load : cost.loads) {
    const Band &c = load.capacitance_F, &r = load.resistance_ohm;
    time_constant_s += {c.low * r.low, c.typical * r.typical, c.high * r.high};
    cost.dynamic_J += cost.supply_V * swing_V * c;
  }
  for (const AreaPart& part : cost.areas) cost.area_m2 += part.area_m2;
  cost.bandwidth_Hz = 1 / (2 * std::numbers::pi * time_constant_s.typical);
  cost.settling_s = (settled_bits + 1) * std::numbers::ln2 * time_constant_s;
  const bool fixed = cost.evaluation_s > 0;
  if (!fixed) cost.evaluation_s = cost.settling_s.typical;
  const Band time_s = fixed ? Band::exact(cost.evaluation_s) : cost.settling_s;
  const Band &p = cost.power_W, &d = cost.dynamic_J;
  cost.energy_J = {p.low * time_s.low + d.low, p.typical * time_s.typical + d.typical, p.high * time_s.high + d.high};
}

AreaPart transistor_area(const std::string& name, double count, double gate_area_m2) {
  return {name, count * gate_area_m2 * layout_factor, "gate area times a layout factor of 3 (2 to 5), assumed"};
}

void book_branch(EnergyBook& book, double supply_V, const std::string& branch, double i_A, double t_s,
                 std::span<const Drop> drops) {
  book.supplied.push_back({branch, supply_V * i_A * t_s});
  for (const Drop& drop : drops) book.dissipated.push_back({drop.element, drop.v_V * i_A * t_s});
}

void book_charging(EnergyBook& book, double supply_V, const std::string& node, double c_F, double from_V, double to_V) {
  const double squares = 0.5 * c_F * (to_V - from_V) * (to_V + from_V);
  book.stored.push_back({node, squares});
  if (to_V > from_V) {
    book.supplied.push_back({"charging of " + node, supply_V * c_F * (to_V - from_V)});
    book.dissipated.push_back(
        {"charging of " + node, 0.5 * c_F * (to_V - from_V) * ((supply_V - from_V) + (supply_V - to_V))});
  } else {
    book.dissipated.push_back({"discharging of " + node, -squares});
  }
}

}  // namespace tellegen::circuits
