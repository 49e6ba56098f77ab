#include "tellegen/circuits/cost/flash_cost.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/circuits/cost/price_multiple.h"

namespace tellegen::circuits {
void FlashRule::settings(Settings& v) {
  origin.settings(v);
  v("input", input, "input capacitance of one comparator, its wire included", required(positive()));
  v("resistor_area", resistor_area, "of one ohm at the node of the source", required(positive()));
  v.require(origin.node.has_value(), "node", "is missing: the resistor area is stated at one node.");
}

Resistance FlashRule::resistance(double bits, Frequency rate) const {
  const double load_F = (std::exp2(bits) - 1) * input.si();
  const double time_constants = (bits + 1) * std::numbers::ln2;  // to half a step
  return Resistance::si(std::numbers::pi * std::numbers::pi / (2 * rate.si() * time_constants * load_F));
}

Price flash_price(const AdcUse& use, const Price& comparator, const Price& full_adder, const FlashRule& rule,
                  Voltage supply) {
  const double comparators = std::exp2(use.bits) - 1;
  const double adders = std::max(0.0, comparators - use.bits);
  const double ladder_ohm = rule.resistance(use.bits, use.rate).si();
  const double node_ratio = use.node / *rule.origin.node;
  Price ladder;
  ladder.from = rule.origin.provenance(rule.origin.node->in(units::nm));
  ladder.from.scaling = "none: input capacitance as stated, resistors with the node squared";
  ladder.energy_J = rule.origin.energy(supply.si() * supply.si() / (ladder_ohm * use.rate.si()));
  ladder.area_m2 = rule.origin.area(ladder_ohm * rule.resistor_area.si() * node_ratio * node_ratio);
  Price price = combine({{"comparators", multiple(comparator, comparators, comparators)},
                         {"encoder", multiple(full_adder, adders, adders)},
                         {"ladder", ladder}});
  price.latency_s = 1 / use.rate.si();
  price.inputs.emplace_back("bits", use.bits);
  price.inputs.emplace_back("comparators", comparators);
  price.inputs.emplace_back("full_adders", adders);
  price.inputs.emplace_back("ladder_ohm", ladder_ohm);
  price.inputs.emplace_back("supply_V", supply.si());
  return price;
}

}  // namespace tellegen::circuits
