#pragma once
// Threshold device of Pershin & Di Ventra: arXiv:1204.2600. The state is the resistance itself.

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// dR/dt = beta v + (alpha - beta) (|v + Vt| - |v - Vt|) / 2: slope alpha below the threshold, beta above.
struct PershinKernel {
  static constexpr std::size_t event_count = 2;
  StateRange range;  ///< R_on to R_off, in ohm
  double alpha_ohm_per_Vs, beta_ohm_per_Vs;
  double threshold_V;

  TELLEGEN_KERNEL double current(double r_ohm, double v_V) const { return v_V / r_ohm; }
  TELLEGEN_KERNEL double voltage(double r_ohm, double i_A) const { return r_ohm * i_A; }
  TELLEGEN_KERNEL double rate(double /*r_ohm*/, double v_V) const {
    const double below = 0.5 * (elementary::magnitude(v_V + threshold_V) - elementary::magnitude(v_V - threshold_V));
    return beta_ohm_per_Vs * v_V + (alpha_ohm_per_Vs - beta_ohm_per_Vs) * below;
  }
  TELLEGEN_KERNEL double after_pulse(double r_ohm, double v_V, double t_s) const {
    return r_ohm + rate(r_ohm, v_V) * t_s;
  }
  int raising_sign() const { return beta_ohm_per_Vs > 0 ? -1 : 1; }
  void events(double /*r_ohm*/, double v_V, double* values) const {
    values[0] = v_V - threshold_V;
    values[1] = v_V + threshold_V;
  }
};

MemristorEntry pershin_entry();

}  // namespace tellegen::devices
