#include "tellegen/devices/fecap/small_signal.h"

#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {

double linear_capacitance_F(const FerroelectricFilm& film, double area_m2) {
  return vacuum_permittivity_F_per_m * film.permittivity * area_m2 / film.thickness.si();
}

double small_signal_capacitance_F(const FerroelectricFilm& film, double area_m2, PolarState state, double field_V_per_m,
                                  double imprint_V_per_m) {
  const Branch rests_on = state == PolarState::up ? Branch::descending : Branch::ascending;
  const double slope = film.loop().slope(field_V_per_m - imprint_V_per_m, rests_on);
  return linear_capacitance_F(film, area_m2) + film.reversible * area_m2 / film.thickness.si() * slope;
}

}  // namespace tellegen::devices
