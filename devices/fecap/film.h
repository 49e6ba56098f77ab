#pragma once
// Ferroelectric films: the numbers that loops, kinetics and capacitances are computed from.

#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/devices/fecap/landau.h"
#include "tellegen/devices/fecap/preisach.h"
#include "tellegen/devices/fecap/quantities.h"
#include "tellegen/devices/fecap/switching.h"
#include "tellegen/devices/technology/confidence.h"

namespace tellegen::devices {

struct FerroelectricFilm {
  Polarization remanent = Polarization::si(0.18);
  Polarization saturation = Polarization::si(0.22);
  ElectricField coercive = ElectricField::si(1.2e8);
  double permittivity = 30;  ///< of the linear, non-switching part
  Length thickness = Length::si(10e-9);
  double reversible = 0.3;                      ///< share of the loop's slope that a small signal moves back and forth
  Resistivity viscosity = Resistivity::si(10);  ///< rho of the Landau-Khalatnikov equation
  SwitchingKinetics kinetics;
  void settings(Settings& v);

  SaturatedLoop loop() const { return SaturatedLoop::from_remanent(remanent.si(), saturation.si(), coercive.si()); }
  LandauCoefficients landau() const { return LandauCoefficients::from_loop(remanent.si(), coercive.si()); }
};

/// A line of the catalogue of films.
struct FilmEntry {
  std::string name;
  std::string summary;  ///< one sentence
  std::string source;   ///< paper or repository; what is assumed
  Confidence confidence;
  std::string smallest_yaml;  ///< a complete file: "fecap: {film: name}"
  FerroelectricFilm film;
};

const std::vector<FilmEntry>& film_catalog();
const std::vector<std::string>& film_names();
/// Throws InputError listing the known names.
const FilmEntry& find_film(const std::string& name);

}  // namespace tellegen::devices
