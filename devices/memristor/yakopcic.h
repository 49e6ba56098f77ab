#pragma once
// Yakopcic et al., IEEE EDL 32:1436 (2011) and IEEE TCAD 32:1201 (2013).

#include <cmath>

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// dx/dt = eta g(v) f(x, v): exponential beyond thresholds, damped towards the ends of the range.
struct YakopcicKernel {
  static constexpr std::size_t event_count = 5;
  StateRange range;
  double a1_A, a2_A, b_per_V;
  double threshold_p_V, threshold_n_V;
  double exp_p, exp_n;  ///< e^threshold, thresholds in volts
  double a_p_per_s, a_n_per_s;
  double x_p, x_n;
  double alpha_p, alpha_n;
  double eta;  ///< +1 or -1: which polarity raises x

  TELLEGEN_KERNEL double current(double x, double v_V) const {
    return (v_V >= 0 ? a1_A : a2_A) * x * elementary::sinh(b_per_V * v_V);
  }
  double voltage(double x, double i_A) const { return std::asinh(i_A / ((i_A >= 0 ? a1_A : a2_A) * x)) / b_per_V; }
  TELLEGEN_KERNEL double drive(double v_V) const {
    const double e = elementary::exp(elementary::magnitude(v_V));
    const double up = v_V > threshold_p_V ? a_p_per_s * (e - exp_p) : 0.0;
    return v_V < -threshold_n_V ? -a_n_per_s * (e - exp_n) : up;
  }
  TELLEGEN_KERNEL double damping(double x, double v_V) const {
    const bool rising = eta * v_V >= 0;
    const double into_zone = rising ? x - x_p : 1.0 - x_n - x;
    const double left = rising ? (x_p - x) / (1.0 - x_p) + 1.0 : x / (1.0 - x_n);
    const double damped = elementary::exp(-(rising ? alpha_p : alpha_n) * into_zone) * left;
    return into_zone >= 0 ? damped : 1.0;
  }
  TELLEGEN_KERNEL double rate(double x, double v_V) const { return eta * drive(v_V) * damping(x, v_V); }
  int raising_sign() const { return eta > 0 ? 1 : -1; }
  void events(double x, double v_V, double* values) const {
    values[0] = v_V;
    values[1] = v_V - threshold_p_V;
    values[2] = v_V + threshold_n_V;
    values[3] = x - x_p;
    values[4] = x - (1.0 - x_n);
  }
};

MemristorEntry yakopcic_entry();

}  // namespace tellegen::devices
