#pragma once
// The charge-based EKV model in normalised quantities: voltages in kT/q, currents in I_spec = 2 n beta (kT/q)^2,
// charges in 2 n C_ox kT/q. Enz, Krummenacher and Vittoz, Analog Integr. Circuits Signal Process. 8:83 (1995); charge
// form as in Enz and Vittoz, "Charge-based MOS transistor modeling" (2006).
//
//   v = 2 q + ln q,   i = q^2 + q,   v = v_p - v_source (forward) or v_p - v_drain (reverse)

#include <cmath>

#include "tellegen/base/vector_units.h"
#include "tellegen/devices/real_math.h"

namespace tellegen::devices::ekv {

/// Solves v = 2 q + ln q for the charge q > 0, to machine precision for any v; no branches, so loops over arrays
/// vectorise.
template <class Real>
TELLEGEN_KERNEL Real charge_of_voltage(Real v) {
  // First guess of ln q: v itself deep in weak inversion, else from the interpolation i = ln^2(1 + e^(v/2)). Then three
  // steps of Halley on 2 e^y + y = v, each of which triples the number of right digits.
  const Real half = Real(0.5) * (v > Real(-4) ? v : Real(-4));
  const Real positive = half > Real(0) ? half : Real(0);
  const Real softplus = positive + ln(Real(1) + exponential(half - Real(2) * positive));
  const Real i = softplus * softplus;
  const Real guess = ln(Real(2) * i / (Real(1) + std::sqrt(Real(1) + Real(4) * i)));
  Real y = v > Real(-4) ? guess : v;
  for (int step = 0; step < 3; ++step) {
    const Real twice_q = Real(2) * exponential(y);
    const Real f = twice_q + y - v;
    const Real slope = twice_q + Real(1);
    y -= Real(2) * f * slope / (Real(2) * slope * slope - f * twice_q);
  }
  return exponential(y);
}

/// Normalised current of one side.
template <class Real>
TELLEGEN_KERNEL Real current_of_charge(Real q) {
  return q * q + q;
}

/// Inverse of current_of_charge, without cancellation at small currents.
template <class Real>
TELLEGEN_KERNEL Real charge_of_current(Real i) {
  return Real(2) * i / (Real(1) + std::sqrt(Real(1) + Real(4) * i));
}

/// Explicit inverse: which voltage gives the normalised current i > 0.
template <class Real>
TELLEGEN_KERNEL Real voltage_of_current(Real i) {
  const Real q = charge_of_current(i);
  return Real(2) * q + ln(q);
}

/// i_forward - i_reverse from the two charges, without cancellation where they are close (small drain voltage).
template <class Real>
TELLEGEN_KERNEL Real current_between(Real q_forward, Real q_reverse) {
  return (q_forward - q_reverse) * (q_forward + q_reverse + Real(1));
}

/// The older interpolation of the same curve, i = ln^2(1 + e^(v/2)): up to 21 % from the charge form at equal threshold
/// voltage, so parameters of one never serve the other.
inline double interpolated_current(double v) {
  const double softplus = v > 0 ? v / 2 + std::log1p(std::exp(-v / 2)) : std::log1p(std::exp(v / 2));
  return softplus * softplus;
}

/// n (kT/q) g_m / I_D in saturation at the inversion coefficient ic = I_D / I_spec: 1 in weak, 1/sqrt(ic) in strong
/// inversion.
inline double transconductance_efficiency(double ic) { return 2 / (1 + std::sqrt(1 + 4 * ic)); }
inline double interpolated_efficiency(double ic) { return -std::expm1(-std::sqrt(ic)) / std::sqrt(ic); }

/// Pinch-off voltage and slope with body effect: threshold at zero bias, gamma_sqrtV the body factor, phi_V the surface
/// potential; all referred to the bulk. v_gate_V must lie above threshold_V - phi_V - gamma_sqrtV sqrt(phi_V).
struct PinchOff {
  double threshold_V, gamma_sqrtV, phi_V;
  double voltage_V(double v_gate_V) const {
    const double above_flat_band_V = v_gate_V - threshold_V + phi_V + gamma_sqrtV * std::sqrt(phi_V);
    return above_flat_band_V - phi_V -
           gamma_sqrtV * (std::sqrt(above_flat_band_V + gamma_sqrtV * gamma_sqrtV / 4) - gamma_sqrtV / 2);
  }
  double slope(double v_gate_V) const { return 1 + gamma_sqrtV / (2 * std::sqrt(phi_V + voltage_V(v_gate_V))); }
};

/// Velocity saturation in saturation, for source charge q; lambda = 2 mobility (kT/q) / (v_sat L), 0 for long channels.
struct VelocitySaturation {
  double lambda = 0;
  double inversion_coefficient(double q) const {
    return 4 * (q * q + q) / (2 + lambda + std::sqrt(4 * (1 + lambda) + lambda * lambda * (1 + 2 * q) * (1 + 2 * q)));
  }
  double charge(double ic) const { return (root(ic) - 1) / 2; }
  double efficiency(double ic) const { return (root(ic) - 1) / (ic * (lambda * (lambda * ic + 1) + 2)); }

 private:
  double root(double ic) const { return std::sqrt(4 * ic + (1 + lambda * ic) * (1 + lambda * ic)); }
};

/// Inversion charge of the whole channel, averaged from source to drain: what thermal noise is proportional to. q/2 in
/// saturated weak inversion, 2 q/3 in saturated strong inversion, q without drain voltage.
inline double mean_charge(double q_forward, double q_reverse) {
  const double squares = q_forward * q_forward + q_forward * q_reverse + q_reverse * q_reverse;
  const double sum = q_forward + q_reverse;
  return (2.0 / 3.0 * squares + sum / 2) / (sum + 1);
}

}  // namespace tellegen::devices::ekv
