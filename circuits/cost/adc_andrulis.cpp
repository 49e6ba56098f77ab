// Andrulis, Chen, Lee, Emer, Sze 2024: energy and area of a converter by regression over published designs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/circuits/cost/adc_cost.h"

namespace tellegen::circuits {
namespace {

// Signal-to-noise ratio of an ideal n-bit converter: 20 log10(2) n + 10 log10(1.5).
double sndr_dB(double bits) { return 20 * std::log10(2.0) * bits + 10 * std::log10(1.5); }

// The law covers this many whole bits; its figure of merit does not improve beyond.
constexpr double kMostBits = 20;

// The source bounds no node; between these its own program was run for comparison.
constexpr double kSmallestNode_nm = 7, kLargestNode_nm = 180;

}  // namespace

void AndrulisLaw::settings(Settings& v) {
  origin.settings(v);
  v("fs_c0", fs_c0, "figure of merit bound by throughput [dB]: constant", required());
  v("fs_c1", fs_c1, "per ln of the rate in Hz", required());
  v("fe_c0", fe_c0, "figure of merit bound by resolution [dB]: constant", required());
  v("fe_c1", fe_c1, "per whole bit, rounded up", required());
  v("e_c0", e_c0, "ln of the energy: constant", required());
  v("e_cT", e_cT, "per ln of the node in nm", required());
  v("e_cb", e_cb, "per ln of the bits", required());
  v("e_shift", e_shift, "shift of the fit towards the best designs", required());
  v("a_c0", a_c0, "ln of the area in um2: constant", required());
  v("a_cT", a_cT, "per ln of the node in nm", required());
  v("a_cf", a_cf, "per ln of the rate in Hz", required());
  v("a_ce", a_ce, "per ln of the energy in pJ", required());
  v("bits_min", bits_min, "fewest bits of the fit", required(positive()));
  v("bits_max", bits_max, "most bits of the source's own table", required(positive()));
  v("rate_max", rate_max, "fastest converter of the fit", required(positive()));
}

Price AndrulisLaw::price(const AdcUse& use) const {
  const double bits = std::max(use.bits, bits_min);
  const double node_nm = use.node.in(units::nm), rate_Hz = use.rate.si();
  const double fom_rate_dB = fs_c0 + fs_c1 * std::log(rate_Hz);
  const double fom_bits_dB = fe_c0 + fe_c1 * std::clamp(std::ceil(bits), 0.0, kMostBits);
  const double fom_dB = std::min(fom_rate_dB, fom_bits_dB);
  const double fit = std::exp(e_c0 + e_cT * std::log(node_nm) + e_cb * std::log(bits) + e_shift);
  const double energy_pJ = 0.5 * std::pow(10, (sndr_dB(bits) - fom_dB) / 10) * fit;
  const double area_um2 =
      std::exp(a_c0 + a_cT * std::log(node_nm) + a_cf * std::log(rate_Hz) + a_ce * std::log(energy_pJ));

  Price price;
  price.from = origin.provenance(node_nm);
  price.from.scaling = "none: the law takes the node";
  price.energy_J = origin.energy(energy_pJ * 1e-12);
  price.area_m2 = origin.area(area_um2 * 1e-12);
  price.latency_s = 1 / rate_Hz;
  price.formula = "0.5e-12 * 10^((sndr_dB - fom_dB) / 10) * exp(e_c0 + e_cT * ln(node_nm) + e_cb * ln(bits) + e_shift)";
  price.inputs = {{"bits", bits},      {"node_nm", node_nm}, {"rate_Hz", rate_Hz}, {"sndr_dB", sndr_dB(bits)},
                  {"fom_dB", fom_dB},  {"e_c0", e_c0},       {"e_cT", e_cT},       {"e_cb", e_cb},
                  {"e_shift", e_shift}};
  if (use.rate > rate_max) {
    price.from.warnings.push_back(fmt::format("andrulis_2024 is valid up to {}: a rate of {} is extrapolated.",
                                              format(rate_max), format(use.rate)));
  }
  if (node_nm < kSmallestNode_nm * (1 - 1e-9) || node_nm > kLargestNode_nm * (1 + 1e-9)) {
    price.from.warnings.push_back(
        fmt::format("andrulis_2024 was compared with its source from {} nm to {} nm: {} nm is "
                    "extrapolated.",
                    short_number(kSmallestNode_nm), short_number(kLargestNode_nm), short_number(node_nm)));
  }
  if (use.bits > bits_max) {
    price.from.warnings.push_back(fmt::format("andrulis_2024 is tabulated up to {} bits: {} bits are extrapolated.",
                                              short_number(bits_max), short_number(use.bits)));
  }
  if (use.bits >= bits_min) return price;

  const double comparators = std::exp2(use.bits) - 1, comparators_min = std::exp2(bits_min) - 1;
  const double share = comparators / comparators_min;
  price.energy_J = share * price.energy_J;
  price.area_m2 = share * price.area_m2;
  price.formula = "comparators / comparators_at_bits * (" + price.formula + ")";
  price.inputs.emplace_back("comparators", comparators);
  price.inputs.emplace_back("comparators_at_bits", comparators_min);
  price.from.warnings.push_back(
      fmt::format("andrulis_2024 is valid from {} bits: {} bits are extrapolated by the flash law, {} comparators at "
                  "1/{} of the {}-bit price each.",
                  short_number(bits_min), short_number(use.bits), short_number(comparators),
                  short_number(comparators_min), short_number(bits_min)));
  return price;
}

}  // namespace tellegen::circuits
