// ZigZag-IMC's converter law at 28 nm.

#include <fmt/format.h>

#include <cmath>

#include "tellegen/circuits/cost/adc_cost.h"
#include "tellegen/circuits/cost/price_range.h"

namespace tellegen::circuits {

void ZigzagAdcLaw::settings(Settings& v) {
  origin.settings(v);
  v("supply", supply, "of the converter", required(positive()));
  v("area_c0", area_c0, "decimal exponent of the area in um2 per code: constant", required());
  v("area_c1", area_c1, "decimal exponent per bit", required());
  v("area_large", area_large, "area in um2 per code from bits_large on", required());
  v("bits_large", bits_large, "where the area law changes", required());
  v("delay_per_row_ns", delay_per_row_ns, "delay per bit and row", required());
  v("delay_ns", delay_ns, "delay per bit", required());
  v("energy_linear_fF", energy_linear_fF, "capacitance per bit", required());
  v("energy_exponential_fF", energy_exponential_fF, "capacitance per 4^bits", required());
  v("bits_min", bits_min, "fewest bits its values were recomputed for", required(positive()));
  v("bits_max", bits_max, "most bits its values were recomputed for", required(positive()));
  v.require(origin.node.has_value(), "node", "is missing: this law is stated at one node.");
}

Price ZigzagAdcLaw::price(const AdcUse& use) const {
  const double supply_V = supply.si(), codes = std::exp2(use.bits);
  const double capacitance_F = (energy_linear_fF * use.bits + energy_exponential_fF * codes * codes) * 1e-15;
  const double area_um2 =
      use.bits < bits_large ? std::pow(10, area_c0 + area_c1 * use.bits) * codes : area_large * codes;
  Price price;
  price.from = origin.provenance(origin.node->in(units::nm));
  price.energy_J = origin.energy(capacitance_F * supply_V * supply_V);
  price.area_m2 = origin.area(area_um2 * 1e-12);
  price.latency_s = use.bits * (delay_per_row_ns * use.rows + delay_ns) * 1e-9;
  price.formula = "(linear_fF * bits + exponential_fF * 4^bits) * 1e-15 * supply_V^2";
  price.inputs = {{"bits", use.bits},
                  {"linear_fF", energy_linear_fF},
                  {"exponential_fF", energy_exponential_fF},
                  {"supply_V", supply_V}};
  warn_about_bits(price, "zigzag_2023", use.bits, bits_min, bits_max);
  warn_about_node(price, "zigzag_2023", *origin.node, use.node);
  if (use.rate.si() * price.latency_s > 1 + 1e-9) {
    price.from.warnings.push_back(
        fmt::format("zigzag_2023 takes {} ns for {} bits on {} rows: a rate of {} is faster than it is.",
                    short_number(price.latency_s * 1e9), short_number(use.bits), use.rows, format(use.rate)));
  }
  return price;
}

}  // namespace tellegen::circuits
