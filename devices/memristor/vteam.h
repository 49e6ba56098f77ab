#pragma once
// VTEAM: Kvatinsky et al., IEEE TCAS-II 62:786 (2015). Rectangular windows: f = 1 inside the range, clipped at its
// ends.

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// dw/dt = k (v / v_threshold - 1)^a beyond a threshold, 0 between; w = w_on is on, w_off is off.
/// `whole`: both exponents are whole numbers from 1 to 7, which makes their powers cheap.
template <bool exponential, bool whole>
struct VteamKernel {
  static constexpr std::size_t event_count = 2;
  static constexpr bool rate_ignores_state = true;
  StateRange range;  ///< w_on to w_off, in m
  double on_ohm, off_ohm;
  double ln_ratio;  ///< ln(R_off / R_on)
  double k_on_m_per_s, k_off_m_per_s;
  double a_on, a_off;
  elementary::BinaryDigits digits_on, digits_off;  ///< of the exponents, where they are whole
  double v_on_V, v_off_V;

  TELLEGEN_KERNEL double resistance(double w_m) const {
    const double share = (w_m - range.low) / (range.high - range.low);
    if constexpr (exponential) return on_ohm * elementary::exp(ln_ratio * share);
    return on_ohm + (off_ohm - on_ohm) * share;
  }
  TELLEGEN_KERNEL double current(double w_m, double v_V) const { return v_V / resistance(w_m); }
  TELLEGEN_KERNEL double voltage(double w_m, double i_A) const { return i_A * resistance(w_m); }
  TELLEGEN_KERNEL double rate(double /*w_m*/, double v_V) const {
    const bool positive = v_V > 0;
    const double beyond = v_V / (positive ? v_off_V : v_on_V) - 1.0;
    const double k_m_per_s = positive ? k_off_m_per_s : k_on_m_per_s;
    return beyond > 0 ? k_m_per_s * grown(beyond, positive) : 0.0;
  }
  TELLEGEN_KERNEL double grown(double beyond, bool positive) const {
    if constexpr (whole) {
      return elementary::power(beyond, positive ? digits_off.ones : digits_on.ones,
                               positive ? digits_off.twos : digits_on.twos,
                               positive ? digits_off.fours : digits_on.fours);
    }
    return elementary::power(beyond, positive ? a_off : a_on);
  }
  /// The rate does not depend on w.
  TELLEGEN_KERNEL double after_pulse(double w_m, double v_V, double t_s) const { return w_m + rate(w_m, v_V) * t_s; }
  int raising_sign() const { return -1; }
  void events(double /*w_m*/, double v_V, double* values) const {
    values[0] = v_V - v_off_V;
    values[1] = v_V - v_on_V;
  }
};

MemristorEntry vteam_entry();

}  // namespace tellegen::devices
