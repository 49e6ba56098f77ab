#pragma once
// Current through a cell that stores the conductance G, at voltages where it is no longer G v. Every law has slope G at
// v = 0, and a law is a small value whose functions take G and v, so that a loop over an array inlines it.

#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/base/vector_units.h"

namespace tellegen::devices {

/// i = G v.
struct OhmicLaw {
  TELLEGEN_KERNEL double current_A(double g_S, double v_V) const { return g_S * v_V; }
  /// di/dv, which solvers of whole arrays need.
  TELLEGEN_KERNEL double slope_S(double g_S, double /*v_V*/) const { return g_S; }
};

/// i = G v0 sinh(v / v0): hopping or tunnelling through a gap.
struct SinhLaw {
  double v0_V = 0.25;
  TELLEGEN_KERNEL double current_A(double g_S, double v_V) const { return g_S * v0_V * std::sinh(v_V / v0_V); }
  TELLEGEN_KERNEL double slope_S(double g_S, double v_V) const { return g_S * std::cosh(v_V / v0_V); }
};

/// i = G v (1 + (v / v0)^2): the first term beyond Ohm's law of any cell that is the same in both directions.
struct CubicLaw {
  double v0_V = 1;
  TELLEGEN_KERNEL double current_A(double g_S, double v_V) const {
    const double u = v_V / v0_V;
    return g_S * v_V * (1 + u * u);
  }
  TELLEGEN_KERNEL double slope_S(double g_S, double v_V) const {
    const double u = v_V / v0_V;
    return g_S * (1 + 3 * u * u);
  }
};

/// i = G v + a(G) v^2 + b(G) v^3, a and b polynomials in log10(G / 1 S): HfO2 RRAM of Milo et al., IRPS 2021, |v| up to
/// 0.5 V, 50 to 225 uS; fits as in CrossSim (commit 0a2eb1ed, BSD-3). The published digits leave an error of 1e-5 A/V^2
/// in a, as large as a itself: the shape is right, its size is not.
struct MiloLaw {
  static constexpr double highest_V = 0.5;
  static double square_A_per_V2(double g_S);
  static double cube_A_per_V3(double g_S);
  double current_A(double g_S, double v_V) const {
    return v_V * (g_S + v_V * (square_A_per_V2(g_S) + v_V * cube_A_per_V3(g_S)));
  }
  double slope_S(double g_S, double v_V) const {
    return g_S + v_V * (2 * square_A_per_V2(g_S) + v_V * 3 * cube_A_per_V3(g_S));
  }
};

/// Ask once per array, not once per cell: std::visit([&](const auto& law) { loop }, law).
using CellLaw = std::variant<OhmicLaw, SinhLaw, CubicLaw, MiloLaw>;

enum class CellLawKind { ohmic, sinh, cubic, milo };
std::span<const std::pair<CellLawKind, const char*>> enum_names(CellLawKind);

/// `iv:` in a file.
struct CellLawConfig {
  CellLawKind law = CellLawKind::ohmic;
  Voltage v0 = Voltage::si(0.25);
  void settings(Settings& v);
  CellLaw make() const;
};

}  // namespace tellegen::devices
