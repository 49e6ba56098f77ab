#pragma once
// The ferroelectric transistor as seen by a circuit: polarization moves the threshold of the transistor below it.

#include "tellegen/devices/fecap/film.h"
#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::devices {

/// Threshold shift by a polarization change: -efficiency dP t / (eps_0 eps_r). Trapped charge compensates part of the
/// polarization, so the efficiency is below 1 in real devices.
double fefet_threshold_shift_V(const FerroelectricFilm& film, double polarization_change_C_per_m2,
                               double efficiency = 1);

/// Upper bound of the memory window, 2 E_c t.
double largest_memory_window_V(const FerroelectricFilm& film);

/// The transistor at a polarization (C/m^2, positive lowers the threshold; of a p-channel transistor that
/// raises its magnitude).
Mosfet fefet(const FerroelectricFilm& film, const MosfetConfig& transistor, Temperature temperature,
             double polarization_C_per_m2, double efficiency);

}  // namespace tellegen::devices
