#pragma once
// Stanford-PKU RRAM: Jiang et al., IEEE TED 63:1884 (2016). A tunnelling gap that shrinks and grows, heated by its own
// current.

#include <cmath>

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {

struct StanfordKernel {
  static constexpr std::size_t event_count = 1;
  StateRange range;  ///< gap, in m
  double g0_m, v0_V, i0_A;
  double ambient_K, heating_K_per_W;
  double gamma0, beta;
  double oxide_m, field_min_V_per_m;
  double velocity_m_per_s, activation_eV, atom_m;
  double noise_m_per_s, noise_step_s, noise_K, noise_width_K;

  static constexpr double boltzmann_eV_per_K = boltzmann_J_per_K / elementary_charge_C;

  TELLEGEN_KERNEL double current(double gap_m, double v_V) const {
    return i0_A * elementary::exp(-gap_m / g0_m) * elementary::sinh(v_V / v0_V);
  }
  double voltage(double gap_m, double i_A) const { return v0_V * std::asinh(i_A / (i0_A * std::exp(-gap_m / g0_m))); }
  TELLEGEN_KERNEL double temperature(double gap_m, double v_V) const {
    return ambient_K + elementary::magnitude(v_V * current(gap_m, v_V)) * heating_K_per_W;
  }
  /// Field enhancement, before the least field is asked for.
  TELLEGEN_KERNEL double enhancement(double gap_m) const {
    const double gap_nm = gap_m / 1e-9;
    return gamma0 - beta * gap_nm * gap_nm * gap_nm;
  }
  TELLEGEN_KERNEL double field_excess(double gap_m, double v_V) const {
    return enhancement(gap_m) * elementary::magnitude(v_V) / oxide_m - field_min_V_per_m;
  }
  TELLEGEN_KERNEL double rate(double gap_m, double v_V) const {
    const double thermal_V = boltzmann_eV_per_K * temperature(gap_m, v_V);
    const double push = enhancement(gap_m) * atom_m / oxide_m * v_V / thermal_V;
    const double rate = -velocity_m_per_s * elementary::exp(-activation_eV / thermal_V) * elementary::sinh(push);
    // A factor instead of a choice: no branch, so that the loop vectorises.
    const double free = field_excess(gap_m, v_V) < 0 ? 0.0 : 1.0;
    return free * rate;
  }
  /// The published noise is a random velocity held for one step of the simulator. With that step as a parameter its
  /// effect no longer depends on the step of the integration.
  TELLEGEN_KERNEL double noise(double gap_m, double v_V) const {
    const double activated = elementary::logistic((temperature(gap_m, v_V) - noise_K) / noise_width_K);
    return noise_m_per_s * activated * std::sqrt(noise_step_s);
  }
  bool is_noisy() const { return noise_m_per_s > 0; }
  int raising_sign() const { return 1; }
  void events(double gap_m, double v_V, double* values) const { values[0] = field_excess(gap_m, v_V); }
};

MemristorEntry stanford_pku_entry();

}  // namespace tellegen::devices
