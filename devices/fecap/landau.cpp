#include "tellegen/devices/fecap/landau.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {
namespace {

struct LandauEquation {
  const LandauCoefficients& coefficients;
  double viscosity_ohm_m;
  const FieldDrive& drive;
  double rate(double t_s, double p) const {
    return (drive.field_V_per_m(t_s) - coefficients.field_V_per_m(p)) / viscosity_ohm_m;
  }
  double rate_by_p(double p) const { return -coefficients.stiffness(p) / viscosity_ohm_m; }
  double rate_by_t(double t_s) const { return drive.rate_V_per_m_s(t_s) / viscosity_ohm_m; }
};

struct RosenbrockStep {
  double value, error;
};

/// One linearly implicit step of order 4 with an error estimate of order 3: L. F. Shampine, ACM TOMS 8:93 (1982). Own
/// code because the one of Boost.Odeint 1.74 stands on uBLAS, which C++20 does not compile.
RosenbrockStep rosenbrock_step(const LandauEquation& equation, double t_s, double p, double h_s) {
  const double divisor = 2 / h_s - equation.rate_by_p(p);
  const double moved = h_s * equation.rate_by_t(t_s);
  const double k1 = (equation.rate(t_s, p) + moved / 2) / divisor;
  const double f2 = equation.rate(t_s + h_s, p + 2 * k1);
  const double k2 = (f2 - 1.5 * moved - 8 * k1 / h_s) / divisor;
  const double f3 = equation.rate(t_s + 0.6 * h_s, p + (48 * k1 + 6 * k2) / 25);
  const double k3 = (f3 + 121.0 / 50 * moved + (372 * k1 + 60 * k2) / 25 / h_s) / divisor;
  const double k4 = (f3 + 29.0 / 250 * moved - (112 * k1 + 54 * k2 + 50 * k3) / 125 / h_s) / divisor;
  return {p + 19.0 / 9 * k1 + k2 / 2 + (25 * k3 + 125 * k4) / 108, 17.0 / 54 * k1 + 7.0 / 36 * k2 + 125.0 / 108 * k4};
}

}  // namespace

LandauCoefficients LandauCoefficients::from_loop(double remanent_C_per_m2, double coercive_V_per_m) {
  const double scale = 1.5 * std::numbers::sqrt3 * coercive_V_per_m / remanent_C_per_m2;
  return {-scale, scale / (remanent_C_per_m2 * remanent_C_per_m2)};
}

double LandauCoefficients::field_V_per_m(double p) const {
  const double p2 = p * p;
  return p * (alpha + p2 * (beta + p2 * gamma));
}

double LandauCoefficients::stiffness(double p) const {
  const double p2 = p * p;
  return alpha + p2 * (3 * beta + p2 * 5 * gamma);
}

double LandauCoefficients::permittivity(double p) const { return 1 / (vacuum_permittivity_F_per_m * stiffness(p)); }

FieldDrive sinusoidal_field(double amplitude_V_per_m, double frequency_Hz) {
  const double omega = 2 * std::numbers::pi * frequency_Hz;
  return {[=](double t_s) { return amplitude_V_per_m * std::sin(omega * t_s); },
          [=](double t_s) { return amplitude_V_per_m * omega * std::cos(omega * t_s); }};
}

FieldDrive constant_field(double field_V_per_m) {
  return {[=](double) { return field_V_per_m; }, [](double) { return 0.0; }};
}

std::vector<double> landau_khalatnikov(const LandauCoefficients& coefficients, double viscosity_ohm_m,
                                       const FieldDrive& drive, double start_C_per_m2, std::span<const double> times_s,
                                       double tolerance) {
  TELLEGEN_ASSERT(viscosity_ohm_m > 0 && coefficients.alpha < 0 && !times_s.empty());
  const LandauEquation equation{coefficients, viscosity_ohm_m, drive};
  // Without sixth-order term the remanent state is at sqrt(-alpha/beta); it is the size of P either way.
  const double size = coefficients.beta > 0 ? std::sqrt(-coefficients.alpha / coefficients.beta)
                                            : std::pow(-coefficients.alpha / coefficients.gamma, 0.25);
  std::vector<double> polarization{start_C_per_m2};
  double p = start_C_per_m2, t_s = times_s.front();
  double step_s = 1e-3 * viscosity_ohm_m / std::abs(coefficients.alpha);
  for (const double until_s : times_s.subspan(1)) {
    TELLEGEN_ASSERT(until_s > t_s);
    while (t_s < until_s) {
      // The last step before an output is cut to end there; the step that the error allows goes on after it.
      const bool ends_here = step_s >= until_s - t_s;
      const double trial_s = ends_here ? until_s - t_s : step_s;
      const RosenbrockStep step = rosenbrock_step(equation, t_s, p, trial_s);
      const double error = std::abs(step.error) / (tolerance * size);
      const double growth = std::clamp(0.9 * std::pow(error, -0.25), 0.2, 3.0);
      if (error > 1) {
        step_s = trial_s * growth;
        continue;
      }
      p = step.value;
      t_s = ends_here ? until_s : t_s + trial_s;
      if (!ends_here || growth < 1) step_s = trial_s * growth;
    }
    polarization.push_back(p);
  }
  return polarization;
}

}  // namespace tellegen::devices
