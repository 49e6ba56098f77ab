#pragma once
// One transistor of a given card, size and temperature: currents in all regions, both ways, and their derivatives.

#include <span>

#include "tellegen/base/units.h"
#include "tellegen/devices/mosfet/mosfet_card.h"

namespace tellegen::devices {

struct OperatingPoint {
  double i_A = 0;                       ///< drain current, negative where the drain is below the source
  double gm_S = 0;                      ///< dI/dV_gate
  double gms_S = 0;                     ///< -dI/dV_source
  double gmd_S = 0;                     ///< dI/dV_drain
  double q_forward = 0, q_reverse = 0;  ///< normalised charge densities at source and drain
};

/// All voltages against the bulk. A p-channel transistor is the n-channel one of its card with the sign of all voltages
/// and of the current changed: it conducts with gate and drain below the source, and its drain current is negative.
class Mosfet {
 public:
  Mosfet(const MosfetConfig& config, Temperature temperature);
  /// From EKV numbers directly, at `temperature`; the threshold of a p-channel transistor as magnitude.
  Mosfet(double slope, double specific_current_A, double threshold_V, Temperature temperature,
         Channel channel = Channel::n);

  double current_A(double v_gate_V, double v_source_V, double v_drain_V) const;
  OperatingPoint operating_point(double v_gate_V, double v_source_V, double v_drain_V) const;
  /// The gate voltage that lets i_A > 0 flow from v_drain_V > v_source_V (p-channel: i_A < 0, v_drain_V < v_source_V);
  /// throws InputError where it cannot be.
  double gate_voltage_V(double i_A, double v_source_V, double v_drain_V) const;
  /// The same in saturation (drain far above the source), in closed form.
  double saturated_gate_voltage_V(double i_A, double v_source_V) const;

  /// Drain currents of transistor i of an array; threshold_shift_V holds mismatch and programmed shifts of
  /// its magnitude, or is empty.
  /// In float, vectorised: relative error below 1e-5 where the drain is 4 kT/q above the source or more.
  void currents(std::span<const float> v_gate_V, std::span<const float> v_source_V, std::span<const float> v_drain_V,
                std::span<const float> threshold_shift_V, std::span<float> i_A) const;

  double slope() const { return slope_; }
  double specific_current_A() const { return specific_current_A_; }
  double threshold_V() const { return sign_ * threshold_V_; }  ///< negative for p-channel
  Channel channel() const { return sign_ < 0 ? Channel::p : Channel::n; }
  double thermal_voltage_V() const { return thermal_V_; }
  double temperature_K() const { return temperature_K_; }

 private:
  double slope_, specific_current_A_, threshold_V_, temperature_K_, thermal_V_, sign_;
};

}  // namespace tellegen::devices
