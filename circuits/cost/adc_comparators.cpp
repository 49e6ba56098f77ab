// Converters priced by their comparators, and the figures of merit that surveys use.

#include <fmt/format.h>

#include <cmath>

#include "tellegen/circuits/cost/adc_cost.h"

namespace tellegen::circuits {
namespace {

constexpr double fastest_clock_Hz = 1e10;  // our own bound for a counter

}  // namespace

Price ramp_price(const AdcUse& use, const Price& comparator) {
  Price price = comparator;
  price.energy_J = std::exp2(use.bits) * comparator.energy_J;
  price.latency_s = 1 / use.rate.si();
  price.formula = "2^bits * comparator_J";
  price.inputs = {{"bits", use.bits}, {"comparator_J", comparator.energy_J.typical}};
  price.from.warnings.push_back(
      "ramp is priced by its comparator alone: the shared ramp and the counter are not in it.");
  const double clock_Hz = std::exp2(use.bits) * use.rate.si();
  if (clock_Hz > fastest_clock_Hz) {
    price.from.warnings.push_back(fmt::format("A ramp of {} bits at {} needs a clock of {}: no logic counts that fast.",
                                              short_number(use.bits), format(use.rate),
                                              format(Frequency::si(clock_Hz))));
  }
  return price;
}

Price cco_price(const AdcUse& use, const Price& counter) {
  Price price = counter;
  price.energy_J = std::exp2(use.bits - 1) * counter.energy_J;
  price.latency_s = 1 / use.rate.si();
  price.formula = "2^(bits - 1) * counter_J";
  price.inputs = {{"bits", use.bits}, {"counter_J", counter.energy_J.typical}};
  price.from.warnings.push_back(
      "cco is priced by its counter alone: the oscillator and the regulation of the current are not in it.");
  return price;
}

double walden_J_per_step(double power_W, double rate_Hz, double enob) { return power_W / (std::exp2(enob) * rate_Hz); }

double schreier_dB(double power_W, double rate_Hz, double enob) {
  const double sndr_dB = 20 * std::log10(2.0) * enob + 10 * std::log10(1.5);
  return sndr_dB + 10 * std::log10(rate_Hz / (2 * power_W));
}

}  // namespace tellegen::circuits
