#pragma once
// Noise of one transistor as one-sided power spectral densities of the drain current, A^2/Hz.

#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::devices {

/// Shot noise of a current that crosses a barrier: 2 q I.
double shot_noise_A2_per_Hz(double i_A);

/// Channel noise in all regions, 4 kT (I_spec / (kT/q)) times the mean channel charge: 2 q I in saturated weak
/// inversion, 4 kT (2/3) n g_m in saturated strong inversion, 4 kT g_ds without drain voltage. `excess` is the card's
/// white_excess.
double thermal_noise_A2_per_Hz(const Mosfet& transistor, const OperatingPoint& point, double excess);

/// g_m^2 flicker^2 / (W L f).
double flicker_noise_A2_per_Hz(const MosfetConfig& config, const OperatingPoint& point, double frequency_Hz);

/// Where flicker and channel noise are equal.
double corner_frequency_Hz(const MosfetConfig& config, const Mosfet& transistor, const OperatingPoint& point);

/// Root of the integral of channel and flicker noise over low_Hz .. high_Hz (0 < low < high), amperes.
double integrated_noise_A(const MosfetConfig& config, const Mosfet& transistor, const OperatingPoint& point,
                          double low_Hz, double high_Hz);

/// What an integrator of window t_s sees of a white noise density: its bandwidth is 1 / (2 t).
double white_noise_in_window_A(double density_A2_per_Hz, double window_s);

/// Partition of a noiseless tail current between the two transistors of a pair: 2 q I1 I2 / (I1 + I2). A tail with shot
/// noise brings the sum to 2 q I1.
double partition_noise_A2_per_Hz(double i1_A, double i2_A);

}  // namespace tellegen::devices
