#pragma once
// Linear ion drift: Strukov et al., Nature 453:80 (2008); windows of Joglekar & Wolf, Eur. J. Phys. 30:661 (2009),
// Biolek et al., Radioengineering 18:210 (2009), Prodromakis et al., IEEE TED 58:3099 (2011).

#include <cmath>
#include <span>
#include <utility>

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

enum class DriftWindow { none, joglekar, biolek, prodromakis };
std::span<const std::pair<DriftWindow, const char*>> enum_names(DriftWindow);

/// dx/dt = k i window(x), i = v / M, M = R_on x + R_off (1 - x); x = 0 is off, 1 is on.
template <DriftWindow kind>
struct HpKernel {
  static constexpr std::size_t event_count = 3;
  StateRange range;
  double on_ohm, off_ohm;
  double drift_per_C;  ///< k = mobility R_on / D^2
  double p;            ///< exponent of the window
  double j;            ///< scale of the Prodromakis window
  double threshold_V;  ///< |v| up to here moves nothing

  TELLEGEN_KERNEL double memristance(double x) const { return on_ohm * x + off_ohm * (1.0 - x); }
  TELLEGEN_KERNEL double window(double x, double v_V) const {
    using elementary::power;
    if constexpr (kind == DriftWindow::joglekar) return 1.0 - power((2.0 * x - 1.0) * (2.0 * x - 1.0), p);
    if constexpr (kind == DriftWindow::biolek) {
      const double from_edge = x - (v_V > 0 ? 0.0 : 1.0);
      return 1.0 - power(from_edge * from_edge, p);
    }
    if constexpr (kind == DriftWindow::prodromakis) return j * (1.0 - power((x - 0.5) * (x - 0.5) + 0.75, p));
    return 1.0;
  }
  TELLEGEN_KERNEL double current(double x, double v_V) const { return v_V / memristance(x); }
  TELLEGEN_KERNEL double voltage(double x, double i_A) const { return i_A * memristance(x); }
  TELLEGEN_KERNEL double rate(double x, double v_V) const {
    // A factor instead of a choice: no branch, so that the loop vectorises.
    const double free = elementary::magnitude(v_V) > threshold_V ? 1.0 : 0.0;
    return free * drift_per_C * (v_V / memristance(x)) * window(x, v_V);
  }
  /// M^2 = M0^2 - 2 (R_off - R_on) k v t: exact without a window.
  TELLEGEN_KERNEL double after_pulse(double x, double v_V, double t_s) const requires(kind == DriftWindow::none) {
    const double m = memristance(x);
    const double flux_Vs = elementary::magnitude(v_V) > threshold_V ? v_V * t_s : 0.0;
    const double square = m * m - 2.0 * (off_ohm - on_ohm) * drift_per_C * flux_Vs;
    return (off_ohm - std::sqrt(elementary::larger(square, on_ohm * on_ohm))) / (off_ohm - on_ohm);
  }
  int raising_sign() const { return 1; }
  void events(double /*x*/, double v_V, double* values) const {
    values[0] = v_V;
    values[1] = v_V - threshold_V;
    values[2] = v_V + threshold_V;
  }
};

MemristorEntry hp_entry();

}  // namespace tellegen::devices
