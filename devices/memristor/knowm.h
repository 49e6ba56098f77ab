#pragma once
// Mean metastable switch: Nugent & Molter, PLoS ONE 9:e85175 (2014); Molter & Nugent, CNNA 2016. Many two-state
// switches, each hopping with thermal rates.

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// dx/dt = up(v) (1 - x) - down(v) x; x is the share of switches that are on.
struct KnowmKernel {
  static constexpr std::size_t event_count = 0;
  StateRange range;
  double on_ohm, off_ohm;
  double v_on_V, v_off_V;
  double thermal_V;
  double tau_s;

  TELLEGEN_KERNEL double conductance(double x) const { return x / on_ohm + (1.0 - x) / off_ohm; }
  TELLEGEN_KERNEL double current(double x, double v_V) const { return v_V * conductance(x); }
  TELLEGEN_KERNEL double voltage(double x, double i_A) const { return i_A / conductance(x); }
  TELLEGEN_KERNEL double up_per_s(double v_V) const { return elementary::logistic((v_V - v_on_V) / thermal_V) / tau_s; }
  TELLEGEN_KERNEL double down_per_s(double v_V) const {
    return elementary::logistic(-(v_V + v_off_V) / thermal_V) / tau_s;
  }
  TELLEGEN_KERNEL double rate(double x, double v_V) const { return up_per_s(v_V) * (1.0 - x) - down_per_s(v_V) * x; }
  /// Linear in x: exponential approach to up / (up + down).
  TELLEGEN_KERNEL double after_pulse(double x, double v_V, double t_s) const {
    const double up = up_per_s(v_V), down = down_per_s(v_V);
    const double gap = up / (up + down) - x;
    return x + gap * elementary::one_minus_exp((up + down) * t_s);
  }
  int raising_sign() const { return 1; }
  void events(double /*x*/, double /*v_V*/, double* /*values*/) const {}
};

MemristorEntry knowm_entry();

}  // namespace tellegen::devices
