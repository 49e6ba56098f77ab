#pragma once
// What the MemGLU gates made of transistors have in common: the transistor, its bias, its surroundings.

#include <cmath>
#include <optional>

#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/unit_trim.h"
#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::circuits {

/// fixed: inputs stay at their volts per x, so that the gate narrows as 1/T; ptat: volts per x follow kT/q.
enum class InputScaling { fixed, ptat };
std::span<const std::pair<InputScaling, const char*>> enum_names(InputScaling);

/// Inside the mapping of the circuit.
struct GateBias {
  devices::MosfetConfig mosfet{devices::find_mosfet("sky130_nfet_01v8")};
  Current bias = Current::si(10e-9);  ///< tail current of one pair, or one unit of signal
  std::optional<Voltage> supply;      ///< absent: of the card
  double input_range = 8;             ///< |x| above is clipped
  InputScaling scaling = InputScaling::fixed;
  Capacitance load = Capacitance::si(10e-15);  ///< that the output drives
  int settled_bits = 8;
  Frequency noise_low = Frequency::si(1e3);  ///< 1 / time between calibrations: where flicker noise begins
  std::optional<UnitTrim> trim;              ///< absent: units are as manufactured
  void settings(Settings& v);

  double supply_V() const { return (supply ? *supply : mosfet.card.supply).si(); }
  double gate_area_m2() const { return (mosfet.width * mosfet.length).si(); }
};

/// Normalised quantities of one transistor at one temperature, in SI on demand.
struct BiasedTransistor {
  BiasedTransistor(const GateBias& bias, Temperature temperature);
  devices::Mosfet mosfet;
  double slope, thermal_V, spec_A;
  double tail;   ///< bias in I_spec
  double per_x;  ///< kT/q at the pinch-off per unit of x and of sharpness: 1 in ptat, 300 K / T where volts are fixed
  double volts_per_x;  ///< n kT/q per unit of x and of sharpness, as the input sees it
  /// Gate-source voltage at a current in I_spec.
  double gate_source_V(double i) const;
  /// 1 / g_m of a diode at a current in I_spec; 1 / g_ms of a source.
  double gate_ohm(double i) const;
  double source_ohm(double i) const;
  /// Squared volts per Hz at the gate, white, in units of (n kT/q)^2.
  double white_per_Hz(double i, double excess) const;
  /// Variance of the gate's flicker noise from noise_low to bandwidth_Hz, in (n kT/q)^2.
  double flicker(const GateBias& bias, double bandwidth_Hz) const;
};

/// Standard deviations of y.
struct OutputNoise {
  double white = 0, flicker = 0;
  double total() const { return std::hypot(white, flicker); }
};

/// Standard deviation of one transistor's threshold in n kT/q and of its size, at an inversion coefficient.
struct TransistorSpread {
  double shift = 0, size = 0;
};
TransistorSpread transistor_spread(const GateBias& bias, const BiasedTransistor& transistor, double ic);

}  // namespace tellegen::circuits
