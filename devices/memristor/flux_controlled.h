#pragma once
// The ideal memristor: L. Chua, IEEE Trans. Circuit Theory 18:507 (1971).

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// dphi/dt = v, i = W(phi) v with a polynomial W.
struct FluxKernel {
  static constexpr std::size_t event_count = 0;
  StateRange range;
  double w0, w1, w2, w3;  ///< S, S/(V s), S/(V s)^2, S/(V s)^3

  TELLEGEN_KERNEL double memductance(double flux_Vs) const {
    return w0 + flux_Vs * (w1 + flux_Vs * (w2 + flux_Vs * w3));
  }
  TELLEGEN_KERNEL double current(double x, double v_V) const { return memductance(x) * v_V; }
  TELLEGEN_KERNEL double voltage(double x, double i_A) const { return i_A / memductance(x); }
  TELLEGEN_KERNEL double rate(double /*x*/, double v_V) const { return v_V; }
  TELLEGEN_KERNEL double after_pulse(double x, double v_V, double t_s) const { return x + v_V * t_s; }
  int raising_sign() const { return memductance(range.high) > memductance(range.low) ? 1 : -1; }
  void events(double /*x*/, double /*v_V*/, double* /*values*/) const {}
};

MemristorEntry flux_controlled_entry();

}  // namespace tellegen::devices
