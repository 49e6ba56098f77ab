#include "tellegen/devices/fecap/fefet.h"

#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {

double fefet_threshold_shift_V(const FerroelectricFilm& film, double polarization_change_C_per_m2, double efficiency) {
  return -efficiency * polarization_change_C_per_m2 * film.thickness.si() /
         (vacuum_permittivity_F_per_m * film.permittivity);
}

double largest_memory_window_V(const FerroelectricFilm& film) { return 2 * film.coercive.si() * film.thickness.si(); }

Mosfet fefet(const FerroelectricFilm& film, const MosfetConfig& transistor, Temperature temperature,
             double polarization_C_per_m2, double efficiency) {
  MosfetConfig shifted = transistor;
  const double shift_V = fefet_threshold_shift_V(film, polarization_C_per_m2, efficiency);
  shifted.card.threshold += Voltage::si(sign_of(transistor.channel) * shift_V);  // of a p-channel card, a magnitude
  return Mosfet(shifted, temperature);
}

}  // namespace tellegen::devices
