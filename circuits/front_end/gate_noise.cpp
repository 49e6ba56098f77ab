#include "tellegen/circuits/front_end/gate_noise.h"

#include <algorithm>
#include <cmath>

#include "tellegen/circuits/front_end/pair_law.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mosfet.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;
using devices::boltzmann_J_per_K;
using devices::elementary_charge_C;

double square(double x) { return x * x; }

/// ln(bandwidth / lowest): what flicker noise integrates to.
double decades(const ThresholdDesign& design, double bandwidth_Hz) {
  return std::max(0.0, std::log(bandwidth_Hz / design.settings.noise.lowest.si()));
}

/// Gate-referred flicker noise of one transistor, V^2.
double flicker_V2(const devices::MosfetConfig& transistor, double log_band) {
  return square(transistor.card.flicker.si()) / (transistor.width * transistor.length).si() * log_band;
}

/// White noise of a transistor's current over 2 q I: 1 in weak inversion, times the card's excess.
double white_factor(const ThresholdDesign& design, const devices::MosfetConfig& transistor, double i_A) {
  const double ic = i_A / devices::Mosfet(transistor, Temperature::si(design.temperature_K)).specific_current_A();
  const double channel = ic > 0 ? 2 * ekv::mean_charge(ekv::charge_of_current(ic), 0) / ic : 1;
  return transistor.card.white_excess * channel;
}

PairNoise noise_of(const ThresholdDesign& design, const DesignedPair& pair, double bandwidth_Hz) {
  const GateSettings& s = design.settings;
  const double tail_A = design.current_per_y_A * pair.tail_at_threshold;
  const double shot = 2 * elementary_charge_C * bandwidth_Hz / design.current_per_y_A;  // y^2 per unit of current
  const double log_band = decades(design, bandwidth_Hz);
  const double gate_V = design.slope * design.thermal_V;
  const double hold_V2 = boltzmann_J_per_K * design.temperature_K / s.reference.hold.si();
  PairNoise n;
  n.partition = shot * s.transistor.card.white_excess * balanced_noise_factor(design.ic_at_threshold(pair));
  n.gate_variance = (2 * flicker_V2(s.transistor, log_band) + square(s.attenuation) * hold_V2) / square(gate_V);
  if (pair.net.stacked_on < 0) {
    // A tail is one side of a mirror; the other side is as noisy.
    const devices::MosfetConfig tail = s.tail_transistor();
    const double ic = tail_A / devices::Mosfet(tail, Temperature::si(design.temperature_K)).specific_current_A();
    n.tail_white = 2 * shot * white_factor(design, tail, tail_A);
    n.tail_flicker = 2 * flicker_V2(tail, log_band) * square(ekv::transconductance_efficiency(ic) / gate_V);
  }
  if (s.output == GateOutput::mirror && pair.net.weight != 0) {
    // A current that is added passes one mirror of two transistors, one that is subtracted passes two mirrors.
    const double one_mirror = 2 * shot * white_factor(design, s.mirror_transistor(), tail_A / 2);
    const bool adds = pair.net.weight > 0, differential = pair.net.pedestal != 0;
    n.mirror_one = (adds ? 1 : 2) * one_mirror;
    n.mirror_two = differential ? (adds ? 2 : 1) * one_mirror : 0;
  }
  if (s.compares) {
    // The comparator's input pair at its own bias decides; its switches add no noise of their own once thrown.
    const devices::MosfetConfig input = s.comparator_transistor();
    const double bias_A = s.comparator.bias.typical.si();
    const double white_V2 = 8 * elementary_charge_C * square(gate_V) / bias_A * bandwidth_Hz * input.card.white_excess;
    n.comparator_x = std::sqrt(white_V2 + 2 * flicker_V2(input, log_band) + square(s.attenuation) * hold_V2) /
                     (s.attenuation * pair.volts_per_x);
    n.partition = n.gate_variance = 0;
  }
  return n;
}

/// At the first pair that reaches the output, at its threshold.
FrontEndNoise input_noise(const ThresholdDesign& design, const std::vector<PairNoise>& pairs, double bandwidth_Hz) {
  FrontEndNoise noise;
  noise.bandwidth_Hz = bandwidth_Hz;
  const auto first = std::ranges::find_if(design.pairs, [](const DesignedPair& pair) { return pair.net.weight != 0; });
  if (first == design.pairs.end()) return noise;
  const PairNoise& n = pairs[static_cast<std::size_t>(first - design.pairs.begin())];
  if (design.settings.compares) {
    noise.white_x = n.comparator_x;
    return noise;
  }
  const double tail = first->tail_at_threshold, ic = design.ic_at_threshold(*first);
  const double slope_y = std::abs(first->net.weight) * tail * pair_slope(0, ic) * first->dv_per_x;
  const double above = 0.5 - first->net.pedestal;
  const double hold_V2 = boltzmann_J_per_K * design.temperature_K / design.settings.reference.hold.si();
  noise.white_x = std::abs(first->net.weight) * std::sqrt(n.partition * tail / 4) / slope_y;
  noise.reference_x = std::sqrt(hold_V2) / first->volts_per_x;
  noise.flicker_x = std::sqrt(2 * flicker_V2(design.settings.transistor, decades(design, bandwidth_Hz))) /
                    (design.settings.attenuation * first->volts_per_x);
  noise.mirror_x = std::sqrt((n.mirror_one + n.mirror_two) * tail / 2) / slope_y;
  noise.tail_x =
      std::abs(first->net.weight) * std::sqrt(tail * (n.tail_white + n.tail_flicker * tail)) * above / slope_y;
  return noise;
}

}  // namespace

double FrontEndNoise::total_x() const {
  return std::sqrt(square(white_x) + square(flicker_x) + square(reference_x) + square(mirror_x) + square(tail_x));
}

GateNoise::GateNoise(const ThresholdDesign& design, double bandwidth_Hz) {
  for (const DesignedPair& pair : design.pairs) pairs_.push_back(noise_of(design, pair, bandwidth_Hz));
  at_input_ = input_noise(design, pairs_, bandwidth_Hz);
}

double GateNoise::output(const ThresholdDesign& design, const std::vector<PairState>& states) const {
  double variance = 0;
  std::vector<double> leaving(states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const PairNoise& n = pairs_[k];
    const NetworkPair& net = design.pairs[k].net;
    const double tail = states[k].tail, share = states[k].shares.one;
    const double swing = tail * share * states[k].shares.two;
    const double own = n.partition * swing + n.gate_variance * square(swing);
    const double arriving = net.stacked_on >= 0 ? leaving[static_cast<std::size_t>(net.stacked_on)] : 0;
    const double of_tail = arriving + tail * (n.tail_white + n.tail_flicker * tail);
    leaving[k] = own + of_tail * square(share);
    variance += square(net.weight) * (own + of_tail * square(share - net.pedestal)) +
                tail * (n.mirror_one * share + n.mirror_two * states[k].shares.two);
  }
  return std::sqrt(variance);
}

}  // namespace tellegen::circuits
