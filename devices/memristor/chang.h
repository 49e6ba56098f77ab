#pragma once
// University of Michigan WOx device: Chang et al., Appl. Phys. A 102:857 (2011).

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// dx/dt = lambda (eta1 sinh(eta2 v) - x / tau), the second term only with diffusion; x is the share of tunnelling
/// area.
struct ChangKernel {
  static constexpr std::size_t event_count = 0;
  StateRange range;
  double alpha_A, beta_per_V, gamma_A, delta_per_V;
  double drift_per_s;  ///< lambda eta1
  double eta2_per_V;
  double decay_per_s;  ///< lambda / tau; 0 without diffusion

  TELLEGEN_KERNEL double current(double x, double v_V) const {
    return (1.0 - x) * alpha_A * elementary::one_minus_exp(beta_per_V * v_V) +
           x * gamma_A * elementary::sinh(delta_per_V * v_V);
  }
  /// Within 200 V; a current beyond that (the Schottky part alone saturates at alpha) gives 200 V.
  double voltage(double x, double i_A) const;
  TELLEGEN_KERNEL double rate(double x, double v_V) const {
    return drift_per_s * elementary::sinh(eta2_per_V * v_V) - decay_per_s * x;
  }
  /// Linear in x: x + rate (1 - e^-z) / decay, z = decay t.
  TELLEGEN_KERNEL double after_pulse(double x, double v_V, double t_s) const {
    const double z = decay_per_s * t_s;
    const double share = z > 0 ? elementary::one_minus_exp(z) / elementary::larger(z, 1e-300) : 1.0;
    return x + rate(x, v_V) * t_s * share;
  }
  int raising_sign() const { return 1; }
  void events(double /*x*/, double /*v_V*/, double* /*values*/) const {}
};

MemristorEntry chang_entry();

}  // namespace tellegen::devices
