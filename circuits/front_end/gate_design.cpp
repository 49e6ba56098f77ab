#include "tellegen/circuits/front_end/gate_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/mosfet/mosfet.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

/// A transistor is saturated from here on: 1 - exp(-5) of its current, in kT/q.
constexpr double saturation = 5;

GateFunction realised_gate(const GateSettings& settings, const GateFunction& gate) {
  GateFunction realised = gate;
  if (settings.compares) {
    if (gate.kernel != GateKernel::hard)
      throw InputError("A comparator makes hard gates only; give the gate the kernel 'hard'.");
    // With ordered hard thresholds the product of sigmoids is the last of them: no stacks.
    realised.form = GateForm::difference;
    return realised;
  }
  if (gate.kernel == GateKernel::hard) {
    realised.kernel = GateKernel::logistic;
    std::ranges::fill(realised.sharpness, settings.hard_sharpness);
  } else if (gate.kernel != GateKernel::logistic) {
    throw InputError(
        "A differential pair makes logistic gates, and hard ones by a large sharpness; fit the gate to "
        "logistic sigmoids first.");
  }
  return realised;
}

double specific_current_A(const devices::MosfetConfig& transistor, double temperature_K) {
  return devices::Mosfet(transistor, Temperature::si(temperature_K)).specific_current_A();
}

/// Bias over its value at the design temperature.
double bias_factor(const GateSettings& settings, double temperature_K) {
  return settings.compensation == Compensation::ptat_bias ? temperature_K / settings.design_temperature.si() : 1;
}

/// The tail current that flows while the gate switches; of a stacked pair, with all pairs below at their thresholds.
double tail_at_threshold(const GateNetwork& network, const GateFunction& gate, std::size_t index) {
  const NetworkPair& pair = network.pairs[index];
  const double x = gate.thresholds[pair.threshold];
  double tail = pair.tail.current(x);
  for (int below = pair.stacked_on; below >= 0; below = network.pairs[static_cast<std::size_t>(below)].stacked_on) {
    const std::size_t m = network.pairs[static_cast<std::size_t>(below)].threshold;
    tail /= 1 + std::exp(-gate.sharpness[m] * (x - gate.thresholds[m]));
  }
  return tail;
}

double round_to_step(double value, double step) { return step > 0 ? step * std::nearbyint(value / step) : value; }

/// Volts per unit of x at the design temperature that make the best sigmoid of a pair as sharp as tau.
double calibrated_scale(const ThresholdDesign& design, double ic, double tau) {
  const double design_V = devices::thermal_voltage_V(design.settings.design_temperature.si());
  return tau * design.slope * design_V / (nearest_sigmoid(ic).sharpness * design.settings.attenuation);
}

/// Fixes volts per x and thresholds at the design temperature, then brings them to `design.temperature_K`.
void add_pairs(ThresholdDesign& design) {
  const GateSettings& s = design.settings;
  const double ic_per_tail_then = design.current_per_y_A / bias_factor(s, design.temperature_K) /
                                  (2 * specific_current_A(s.transistor, s.design_temperature.si()));
  const double step_V = s.reference.bits > 0 ? design.supply_V / std::ldexp(1.0, s.reference.bits) : 0;
  for (std::size_t k = 0; k < design.network.pairs.size(); ++k) {
    DesignedPair pair;
    pair.net = design.network.pairs[k];
    pair.tail_at_threshold = tail_at_threshold(design.network, design.realised, k);
    pair.volts_per_x = s.compares ? design.supply_V / (2 * s.full_scale)
                                  : calibrated_scale(design, ic_per_tail_then * pair.tail_at_threshold,
                                                     design.realised.sharpness[pair.net.threshold]);
    pair.volts_per_x *= design.signal_scale;
    pair.dv_per_x = s.attenuation * pair.volts_per_x / (design.slope * design.thermal_V);
    const double design_volts = pair.volts_per_x / design.signal_scale;
    pair.theta = round_to_step(design_volts * design.realised.thresholds[pair.net.threshold], step_V) / design_volts;
    design.pairs.push_back(pair);
  }
}

double largest_volts(const ThresholdDesign& design) {
  double largest = 0;
  for (const DesignedPair& pair : design.pairs) largest = std::max(largest, pair.volts_per_x);
  return largest;
}

struct Headroom {
  double lowest_V, highest_V;  ///< of the common mode at the bottom level
  double per_level_V;          ///< what each stacked level adds to the common mode
  double drain_V;
};

Headroom headroom_of(const ThresholdDesign& d, const devices::Mosfet& pair, const devices::Mosfet& mirror) {
  const double ic = d.largest_tail_A / (2 * pair.specific_current_A());
  const double all_V = d.thermal_V * ekv::voltage_of_current(2 * ic),
               half_V = d.thermal_V * ekv::voltage_of_current(ic);
  int levels = 0;
  double theta_low = 0, theta_high = 0;
  for (const DesignedPair& p : d.pairs) {
    levels = std::max(levels, p.net.level);
    theta_low = std::min(theta_low, d.settings.attenuation * p.volts_per_x * p.theta);
    theta_high = std::max(theta_high, d.settings.attenuation * p.volts_per_x * p.theta);
  }
  const double saturation_V = saturation * d.thermal_V;
  const double mirror_ic = d.largest_tail_A / mirror.specific_current_A();
  const double mirror_V = d.settings.output == GateOutput::mirror
                              ? mirror.threshold_V() + mirror.slope() * d.thermal_V * ekv::voltage_of_current(mirror_ic)
                              : 0;
  Headroom h;
  h.drain_V = d.supply_V - std::max(mirror_V, 0.0);
  h.per_level_V = d.slope * saturation_V;
  h.lowest_V = pair.threshold_V() + d.slope * (d.tail_needs_V + all_V) - theta_low;
  h.highest_V =
      pair.threshold_V() + d.slope * (h.drain_V - saturation_V + half_V) - theta_high - levels * h.per_level_V;
  return h;
}

void bias_gates(ThresholdDesign& d, const devices::Mosfet& pair, const devices::Mosfet& mirror) {
  const bool signal_pair_below = d.settings.signed_tail == SignedTail::gilbert && !d.gate.is_constant_family();
  d.tail_needs_V = saturation * d.thermal_V * (signal_pair_below ? 2 : 1);
  const Headroom h = headroom_of(d, pair, mirror);
  if (h.lowest_V > h.highest_V) {
    throw RefusedError(
        {fmt::format("The pairs have no headroom: their gates need at least '{:.3g} V' for the tail and at "
                     "most '{:.3g} V' below the mirrors, from a supply of '{:.3g} V'.",
                     h.lowest_V, h.highest_V, d.supply_V),
         "Raise the supply, lower the bias or the thresholds, or take output 'direct'."});
  }
  const double middle = std::clamp(d.supply_V / 2, h.lowest_V, h.highest_V);
  const double common_V = d.settings.common_mode ? d.settings.common_mode->si() : middle;
  if (common_V < h.lowest_V - 1e-12 || common_V > h.highest_V + 1e-12) {
    throw RefusedError({fmt::format("The pairs have no headroom at a common mode of '{:.3g} V': allowed are "
                                    "'{:.3g} V' to '{:.3g} V'.",
                                    common_V, h.lowest_V, h.highest_V),
                        "Leave common_mode out, or choose it in this range."});
  }
  for (DesignedPair& p : d.pairs) p.common_mode_V = common_V + p.net.level * h.per_level_V;
  d.mirror_drop_V = d.supply_V - h.drain_V;
  const double all_V = d.thermal_V * ekv::voltage_of_current(d.largest_tail_A / pair.specific_current_A());
  d.source_min_V = d.tail_needs_V + (common_V - h.lowest_V) / d.slope;
  const double steered_V = pair.threshold_V() + d.slope * (h.drain_V - saturation * d.thermal_V + all_V);
  const double volts = largest_volts(d);
  const double reach_V = std::min(d.supply_V - common_V, (steered_V - common_V) / d.settings.attenuation);
  d.limits = {-d.settings.full_scale, d.settings.full_scale, -common_V / volts, std::max(reach_V, 0.0) / volts};
}

void check_network(const GateNetwork& network) {
  if (network.pairs.empty()) throw InputError("The gate is a straight line; it needs no front-end.");
}

}  // namespace

devices::MosfetConfig sized_for_error(const GateSettings& settings, double ic, double volts_per_x) {
  devices::MosfetConfig transistor = settings.transistor;
  if (!settings.threshold_error) return transistor;
  const double thermal_V = devices::thermal_voltage_V(settings.design_temperature.si());
  const double offset_V =
      devices::pair_offset_V(devices::pair_mismatch(transistor, ic), transistor.card.slope, thermal_V, ic);
  const double factor = offset_V / (settings.attenuation * volts_per_x) / *settings.threshold_error;
  transistor.width = factor * transistor.width;
  transistor.length = factor * transistor.length;
  return transistor;
}

ThresholdDesign design_gate(const GateSettings& settings, const GateFunction& gate, Temperature temperature) {
  check(gate);
  ThresholdDesign d;
  d.settings = settings;
  // A pair of p-channel transistors is the same circuit upside down: seen from the other rail it is n-channel.
  d.settings.transistor.channel = devices::Channel::n;
  d.gate = gate;
  d.realised = realised_gate(settings, gate);
  d.network = make_network(d.realised, settings.signed_tail, settings.full_scale, settings.quiescent);
  check_network(d.network);
  d.temperature_K = temperature.si();
  d.thermal_V = devices::thermal_voltage_V(d.temperature_K);
  d.slope = settings.transistor.card.slope;
  d.supply_V = settings.supply_or_nominal().si();
  d.signal_scale =
      settings.compensation == Compensation::ptat_scale ? d.temperature_K / settings.design_temperature.si() : 1;
  d.largest_tail_A = settings.bias.si() * bias_factor(settings, d.temperature_K);
  d.current_per_y_A = d.largest_tail_A / d.network.largest_tail;
  add_pairs(d);
  if (settings.threshold_error) {
    // W/L is kept, so inversion and scale stay as they are.
    const double ic = d.current_per_y_A / bias_factor(settings, d.temperature_K) * d.pairs.front().tail_at_threshold /
                      (2 * specific_current_A(settings.transistor, settings.design_temperature.si()));
    d.settings.transistor = sized_for_error(d.settings, ic, d.pairs.front().volts_per_x / d.signal_scale);
  }
  const devices::Mosfet pair(d.settings.transistor, temperature);
  const devices::Mosfet mirror(d.settings.mirror_transistor(), temperature);
  d.ic_per_tail = d.current_per_y_A / (2 * pair.specific_current_A());
  bias_gates(d, pair, mirror);
  return d;
}

std::vector<PairState> ThresholdDesign::states(double x) const {
  const double signal = std::clamp(x, limits.x_low, limits.x_high);
  const double at_gate = std::clamp(x, limits.gate_low, limits.gate_high);
  std::vector<PairState> states;
  for (const DesignedPair& pair : pairs) {
    PairState state;
    state.dv = pair.dv_per_x * (at_gate - pair.theta);
    if (pair.net.stacked_on >= 0) {
      const PairState& below = states[static_cast<std::size_t>(pair.net.stacked_on)];
      state.tail = below.tail * below.shares.one;
    } else {
      state.tail = pair.net.tail.current(signal);
    }
    if (settings.compares) {
      const double one = x > pair.theta ? 1 : x < pair.theta ? 0 : 0.5;
      state.shares = {one, 1 - one};
    } else {
      state.shares = pair_shares(state.dv, ic_per_tail * state.tail);
    }
    states.push_back(state);
  }
  return states;
}

double ThresholdDesign::base(double x) const {
  return network.base_slope * std::clamp(x, limits.x_low, limits.x_high) + network.base_constant;
}

double ThresholdDesign::output(const std::vector<PairState>& states, double x) const {
  double y = base(x);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    // share - pedestal as half the difference of the shares where the output is differential: no cancellation.
    const double above =
        pairs[k].net.pedestal != 0 ? (states[k].shares.one - states[k].shares.two) / 2 : states[k].shares.one;
    y += pairs[k].net.weight * states[k].tail * above;
  }
  return y;
}

std::vector<double> ThresholdDesign::source_voltages(const std::vector<PairState>& states) const {
  const devices::Mosfet transistor(settings.transistor, Temperature::si(temperature_K));
  std::vector<double> out;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    // A pair without current stands at the voltage of a billionth of the largest one: leakage would hold it near there.
    const double ic = ic_per_tail * std::max(states[k].tail, 1e-9 * network.largest_tail);
    const double reference_V = pairs[k].common_mode_V + settings.attenuation * pairs[k].volts_per_x * pairs[k].theta;
    // Of a comparator's switches the closed one carries all the tail current, its gate at the reference.
    const double depth = settings.compares ? ekv::voltage_of_current(2 * ic) : source_depth(states[k].dv, ic);
    out.push_back((reference_V - transistor.threshold_V()) / slope - thermal_V * depth);
  }
  return out;
}

}  // namespace tellegen::circuits
