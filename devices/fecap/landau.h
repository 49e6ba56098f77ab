#pragma once
// Landau-Khalatnikov: rho dP/dt = E - alpha P - beta P^3 - gamma P^5, one domain. Landau and Khalatnikov, Dokl. Akad.
// Nauk SSSR 96:469 (1954). For studies of dynamics: one domain switches far more sharply than a polycrystalline film.

#include <functional>
#include <span>
#include <vector>

namespace tellegen::devices {

/// Coefficients of E = alpha P + beta P^3 + gamma P^5, SI (m/F, m^5/(F C^2), m^9/(F C^4)). The other convention in use
/// is E = 2 a P + 4 b P^3 + 6 c P^5: alpha = 2 a, beta = 4 b, gamma = 6 c.
struct LandauCoefficients {
  double alpha, beta, gamma = 0;

  /// alpha = -(3 sqrt(3) / 2) E_c / P_r, beta = (3 sqrt(3) / 2) E_c / P_r^3: then E(P_r) = 0 and the turning points of
  /// E(P) are at -+E_c. (alpha = -2 E_c / P_r with beta = E_c / (2 P_r^3), which is in circulation, puts the remanent
  /// state at 2 P_r.)
  static LandauCoefficients from_loop(double remanent_C_per_m2, double coercive_V_per_m);

  double field_V_per_m(double polarization) const;
  /// dE/dP, m/F; negative between the turning points.
  double stiffness(double polarization) const;
  /// Small-signal relative permittivity 1 / (eps_0 dE/dP).
  double permittivity(double polarization) const;
};

/// Field over time, and its rate.
struct FieldDrive {
  std::function<double(double t_s)> field_V_per_m;
  std::function<double(double t_s)> rate_V_per_m_s;
};
FieldDrive sinusoidal_field(double amplitude_V_per_m, double frequency_Hz);
FieldDrive constant_field(double field_V_per_m);

/// Polarization at each of times_s (ascending, the first is the start), C/m^2. Rosenbrock steps of order 4 with the
/// local error held below `tolerance` times the remanent polarization; viscosity in ohm m.
std::vector<double> landau_khalatnikov(const LandauCoefficients& coefficients, double viscosity_ohm_m,
                                       const FieldDrive& drive, double start_C_per_m2, std::span<const double> times_s,
                                       double tolerance = 1e-9);

}  // namespace tellegen::devices
