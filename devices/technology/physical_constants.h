#pragma once
// Constants of nature in SI, as fixed by the SI of 2019 or measured (CODATA 2018).

namespace tellegen::devices {

inline constexpr double boltzmann_J_per_K = 1.380649e-23;
inline constexpr double elementary_charge_C = 1.602176634e-19;
inline constexpr double vacuum_permittivity_F_per_m = 8.8541878128e-12;

/// kT/q: 25.85 mV at 300 K.
inline constexpr double thermal_voltage_V(double temperature_K) {
  return boltzmann_J_per_K * temperature_K / elementary_charge_C;
}

}  // namespace tellegen::devices
