#pragma once
// Data-driven RRAM: Messaris et al., ISCAS 2017 and IEEE TCAD 37:3151 (2018); parameters of 2021 in arXiv:2012.02267.
// The state is the resistance, which goes towards a boundary that depends on the voltage, and only towards it.

#include <cmath>
#include <span>
#include <utility>

#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// quadratic (2017, 2021): dR/dt = s (r - R)^2, s = A (e^(|v| / t) - 1).
/// exponential (2018): dR/dt = s (e^(k |r - R|) - 1), s = A (e^(t |v|) - 1).
enum class DataLaw { quadratic, exponential };
std::span<const std::pair<DataLaw, const char*>> enum_names(DataLaw);

/// One polarity.
struct DataSide {
  double a, b_per_V;            ///< i = a / R sinh(b v)
  double scale;                 ///< A
  double t;                     ///< V for the quadratic law, 1/V for the exponential one
  double k_per_ohm;             ///< exponential law only
  double r0_ohm, r1_ohm_per_V;  ///< boundary r = r0 + r1 v
};

template <DataLaw law>
struct DataDrivenKernel {
  static constexpr std::size_t event_count = 2;
  StateRange range;  ///< R_on to R_off, in ohm
  DataSide positive, negative;

  TELLEGEN_KERNEL double current(double r_ohm, double v_V) const {
    const bool up = v_V > 0;
    return (up ? positive.a : negative.a) / r_ohm * elementary::sinh((up ? positive.b_per_V : negative.b_per_V) * v_V);
  }
  double voltage(double r_ohm, double i_A) const {
    const DataSide& side = i_A > 0 ? positive : negative;
    return std::asinh(i_A * r_ohm / side.a) / side.b_per_V;
  }
  TELLEGEN_KERNEL double speed(double v_V) const {
    const bool up = v_V > 0;
    const double size = elementary::magnitude(v_V), t = up ? positive.t : negative.t;
    const double exponent = law == DataLaw::quadratic ? size / t : size * t;
    return (up ? positive.scale : negative.scale) * -elementary::one_minus_exp(-exponent);
  }
  TELLEGEN_KERNEL double boundary(double v_V) const {
    const bool up = v_V > 0;
    return (up ? positive.r0_ohm : negative.r0_ohm) + (up ? positive.r1_ohm_per_V : negative.r1_ohm_per_V) * v_V;
  }
  TELLEGEN_KERNEL double rate(double r_ohm, double v_V) const {
    const double s = speed(v_V), to_go = boundary(v_V) - r_ohm;
    const double k = v_V > 0 ? positive.k_per_ohm : negative.k_per_ohm;
    const double pull =
        law == DataLaw::quadratic ? to_go * to_go : -elementary::one_minus_exp(-k * elementary::magnitude(to_go));
    // A factor instead of a choice: no branch, so that the loop vectorises.
    const double free = s * to_go > 0 ? 1.0 : 0.0;
    return free * s * pull;
  }
  /// With e = R - r: quadratic e = e0 / (1 - s e0 t); exponential 1 - e^(-k|e|) = (1 - e^(-k|e0|)) e^(-k|s| t).
  TELLEGEN_KERNEL double after_pulse(double r_ohm, double v_V, double t_s) const {
    const double s = speed(v_V), r = boundary(v_V), e = r_ohm - r;
    const bool moves = s * e < 0;
    if constexpr (law == DataLaw::quadratic) return moves ? r + e / (1.0 - s * e * t_s) : r_ohm;
    const double k = v_V > 0 ? positive.k_per_ohm : negative.k_per_ohm;
    const double left =
        elementary::one_minus_exp(k * elementary::magnitude(e)) * elementary::exp(-k * elementary::magnitude(s) * t_s);
    const double distance = -elementary::ln(elementary::larger(1.0 - left, 1e-300)) / k;
    return moves ? (e > 0 ? r + distance : r - distance) : r_ohm;
  }
  int raising_sign() const { return speed(1.0) > 0 ? -1 : 1; }
  void events(double r_ohm, double v_V, double* values) const {
    values[0] = v_V;
    values[1] = boundary(v_V) - r_ohm;
  }
};

MemristorEntry data_driven_entry();

}  // namespace tellegen::devices
