#include "tellegen/circuits/front_end/memglu_settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace ekv = devices::ekv;

std::span<const std::pair<InputScaling, const char*>> enum_names(InputScaling) {
  static constexpr std::array names{std::pair{InputScaling::fixed, "fixed"}, std::pair{InputScaling::ptat, "ptat"}};
  return names;
}

void GateBias::settings(Settings& v) {
  v.section("mosfet", mosfet, "every transistor of the circuit; p-channel ones are taken as its mirror image");
  v("bias", bias, "tail current of one pair, or one unit of a signal current", positive());
  v("supply", supply, "supply voltage; absent: of the card", positive());
  v("input_range", input_range, "largest |x|: beyond it is clipped", between(0.5, 16));
  v("scaling", scaling, "volts per unit of x: fixed at 300 K, or proportional to absolute temperature");
  v("load", load, "capacitance that the output drives", positive());
  v("settled_bits", settled_bits, "an evaluation ends half a step of so many bits from the end value", between(1, 16));
  v("noise_low", noise_low, "where flicker noise begins: 1 / time between calibrations", positive());
  v.section("trim", trim, "trimming of each unit after manufacture; left out: none");
  if (trim && trim->bits == 0) trim.reset();
}

BiasedTransistor::BiasedTransistor(const GateBias& bias, Temperature temperature)
    : mosfet(bias.mosfet, temperature),
      slope(mosfet.slope()),
      thermal_V(mosfet.thermal_voltage_V()),
      spec_A(mosfet.specific_current_A()),
      tail(bias.bias.si() / spec_A) {
  const double reference_V = devices::thermal_voltage_V(300);
  per_x = bias.scaling == InputScaling::ptat ? 1 : reference_V / thermal_V;
  volts_per_x = slope * thermal_V * per_x;
}

double BiasedTransistor::gate_source_V(double i) const {
  return mosfet.threshold_V() + slope * thermal_V * ekv::voltage_of_current(i);
}
double BiasedTransistor::gate_ohm(double i) const { return slope * source_ohm(i); }
double BiasedTransistor::source_ohm(double i) const { return thermal_V / (spec_A * ekv::charge_of_current(i)); }

double BiasedTransistor::white_per_Hz(double i, double excess) const {
  // Channel noise 4 q I_spec mean charge, over (g_m n kT/q)^2 = (I_spec q)^2.
  const double q = ekv::charge_of_current(i);
  return 4 * devices::elementary_charge_C * excess * ekv::mean_charge(q, 0) / (spec_A * q * q);
}

double BiasedTransistor::flicker(const GateBias& bias, double bandwidth_Hz) const {
  const double flicker_V = bias.mosfet.card.flicker.si() / (slope * thermal_V);
  const double span = std::log(std::max(1.0, bandwidth_Hz / bias.noise_low.si()));
  return flicker_V * flicker_V / bias.gate_area_m2() * span;
}

TransistorSpread transistor_spread(const GateBias& bias, const BiasedTransistor& transistor, double ic) {
  const devices::Mismatch pair = devices::pair_mismatch(bias.mosfet, ic);
  return {pair.threshold_V / (std::numbers::sqrt2 * transistor.slope * transistor.thermal_V),
          pair.beta / std::numbers::sqrt2};
}

}  // namespace tellegen::circuits
