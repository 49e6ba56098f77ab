// The converter of ISAAC (2016): 8 bits at 32 nm, brought to other resolutions with the breakdown of the silicon behind
// it.

#include <fmt/format.h>

#include <cmath>

#include "tellegen/circuits/cost/adc_cost.h"
#include "tellegen/circuits/cost/price_range.h"

namespace tellegen::circuits {

void IsaacAdcLaw::settings(Settings& v) {
  origin.settings(v);
  v("power", power, "of one converter at `rate`", required(positive()));
  v("rate", rate, "conversions per second at `power`", required(positive()));
  v("rate_in_text", rate_in_text, "the other rate that the paper states", required(positive()));
  v("area", area, "of one converter", required(positive()));
  v("bits", bits, "resolution these stand for", required(positive()));
  v("exponential_power", exponential_power, "share of the capacitive DAC, which doubles with each bit",
    required(between(0, 1)));
  v("exponential_area", exponential_area, "share of the capacitive DAC in the area", required(between(0, 1)));
  v("bits_min", bits_min, "fewest bits the law was tabulated for", required(positive()));
  v("bits_max", bits_max, "most bits the law was tabulated for", required(positive()));
  v("rate_max", rate_max, "fastest sampling the source states", required(positive()));
  v.require(origin.node.has_value(), "node", "is missing: this law is stated at one node.");
}

Price IsaacAdcLaw::price(const AdcUse& use) const {
  const double linear = use.bits / bits, exponential = std::exp2(use.bits - bits);
  const double power_share = (1 - exponential_power) * linear + exponential_power * exponential;
  const double area_share = (1 - exponential_area) * linear + exponential_area * exponential;
  Price price;
  price.from = origin.provenance(origin.node->in(units::nm));
  price.energy_J = origin.energy(power.si() / rate.si() * power_share);
  price.area_m2 = origin.area(area.si() * area_share);
  price.latency_s = 1 / use.rate.si();
  price.formula = "power_W / rate_Hz * ((1 - x) * bits / bits_0 + x * 2^(bits - bits_0))";
  price.inputs = {{"power_W", power.si()}, {"rate_Hz", rate.si()}, {"x", exponential_power},
                  {"bits", use.bits},      {"bits_0", bits},       {"rate_in_text_Hz", rate_in_text.si()}};
  warn_about_bits(price, "isaac_2016", use.bits, bits_min, bits_max);
  warn_about_node(price, "isaac_2016", *origin.node, use.node);
  if (use.rate > rate_max) {
    price.from.warnings.push_back(
        fmt::format("isaac_2016 states at most {}: a rate of {} is extrapolated.", format(rate_max), format(use.rate)));
  }
  return price;
}

}  // namespace tellegen::circuits
