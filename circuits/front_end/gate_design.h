#pragma once
// From settings, gate and temperature to the numbers of a circuit: sizes, currents, volts per unit of x, headroom.

#include <vector>

#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/gate_settings.h"
#include "tellegen/circuits/front_end/pair_law.h"

namespace tellegen::circuits {

/// A pair with its electrical numbers.
struct DesignedPair {
  NetworkPair net;
  double theta = 0;              ///< threshold in x, on the steps of the reference
  double dv_per_x = 0;           ///< gate voltage per unit of x, in n kT/q at the temperature of the design object
  double volts_per_x = 0;        ///< of the signal, before attenuation
  double tail_at_threshold = 0;  ///< in units of y: the tail current for which the sharpness was set
  double common_mode_V = 0;      ///< gate voltage at x = 0
};

/// A pair at one input.
struct PairState {
  double dv = 0, tail = 0;  ///< n kT/q; units of y
  PairShares shares;
};

struct ThresholdDesign {
  GateSettings settings;  ///< transistor sized by threshold_error
  GateFunction gate;      ///< as asked for
  GateFunction realised;  ///< logistic stand-in of a hard kernel with the sharpness of settings
  GateNetwork network;
  std::vector<DesignedPair> pairs;
  double temperature_K = 300, thermal_V = 0, slope = 1;
  double supply_V = 0;
  double current_per_y_A = 0;  ///< tail current of one unit of y
  double ic_per_tail = 0;      ///< inversion coefficient of each side at balance per unit of tail
  double signal_scale = 1;     ///< of scale and references against the design temperature (ptat_scale)
  double largest_tail_A = 0;
  double source_min_V = 0;   ///< lowest common source: what the tail transistor has
  double tail_needs_V = 0;   ///< what it needs
  double mirror_drop_V = 0;  ///< V_SG of the output mirror at the largest current
  InputLimits limits;

  /// Every pair at x, in double; x is clipped as limits say.
  std::vector<PairState> states(double x) const;
  double base(double x) const;
  /// Sum of base and pairs.
  double output(const std::vector<PairState>& states, double x) const;
  /// Common-source voltage of each pair.
  std::vector<double> source_voltages(const std::vector<PairState>& states) const;
  /// Inversion coefficient at balance of a pair at its threshold.
  double ic_at_threshold(const DesignedPair& pair) const { return ic_per_tail * pair.tail_at_threshold; }
};

/// Throws InputError where the gate does not fit, RefusedError where transistors have no headroom.
ThresholdDesign design_gate(const GateSettings& settings, const GateFunction& gate, Temperature temperature);

/// Width and length scaled at their ratio so that sigma(theta) before trimming is settings.threshold_error.
devices::MosfetConfig sized_for_error(const GateSettings& settings, double ic, double volts_per_x);

}  // namespace tellegen::circuits
