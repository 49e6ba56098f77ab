#pragma once
// The capacitance that a small signal sees: what a ferroelectric capacitor stores when it is read without switching it.

#include "tellegen/base/units.h"
#include "tellegen/devices/fecap/film.h"

namespace tellegen::devices {

/// Up: polarised by a positive field, resting on the descending branch of the loop. Down: the reverse.
enum class PolarState { up, down };

/// C = A/t [eps_0 eps_r + f_rev (P_s / 2 delta) sech^2((E - E_imprint - s E_c) / (2 delta))], s = -1 up, +1 down, in F.
/// Without imprint and at zero field both states are equal: a window needs asymmetric electrodes, imprint or a read
/// bias.
double small_signal_capacitance_F(const FerroelectricFilm& film, double area_m2, PolarState state, double field_V_per_m,
                                  double imprint_V_per_m);

/// A / t eps_0 eps_r alone.
double linear_capacitance_F(const FerroelectricFilm& film, double area_m2);

}  // namespace tellegen::devices
