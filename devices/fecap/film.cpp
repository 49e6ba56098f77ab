#include "tellegen/devices/fecap/film.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

// Parsed from text, so that a value is the double that a configuration file with the same digits gives.
Polarization polarization(const char* text) { return parse<Polarization>(text); }
ElectricField field(const char* text) { return parse<ElectricField>(text); }

/// Activation fields of a 10 nm Hf0.5Zr0.5O2 capacitor.
SwitchingKinetics mfm_kinetics() {
  return {.law = ActivationLaw::generalised_beta,
          .a = 8,
          .p = 0.6775,
          .q = 0.8115,
          .scale = field("2 MV/cm"),
          .spread = field("0.5 MV/cm"),
          .largest = field("8 MV/cm"),
          .attempt_time = parse<Time>("100 ns"),
          .field_exponent = 3.2975,
          .time_exponent = 2,
          .offset_spread = field("0.5 MV/cm"),
          .domains = 2000};
}

FilmEntry hzo_10nm() {
  FilmEntry entry{"hzo_10nm",
                  "Working values of a 10 nm Hf0.5Zr0.5O2 capacitor after wake-up.",
                  "assumed, within what is usual for such films (P_r 10 to 25 uC/cm2, E_c 0.8 to 1.5 MV/cm, relative "
                  "permittivity 25 to 40); kinetics as in hzo_mfm, without local bias",
                  Confidence::assumed,
                  "fecap: {film: hzo_10nm}",
                  {}};
  entry.film.kinetics = mfm_kinetics();
  entry.film.kinetics.offset_spread = field("0 MV/cm");
  return entry;
}

FilmEntry hzo_mfm() {
  return {
      "hzo_mfm",
      "10 nm Hf0.5Zr0.5O2 between metals, domain by domain, from measured switching transients.",
      "Alessandri et al., IEEE EDL 39:1780 (2018) and Deng et al., Symposium on VLSI Technology (2020); kinetics, "
      "P_r and permittivity as in boltma/Scalable-FeFET 2e42f88b; saturation and coercive field of the quasi-static "
      "loop and viscosity assumed",
      Confidence::published,
      "fecap: {film: hzo_mfm}",
      {.remanent = polarization("18 uC/cm2"),
       .saturation = polarization("22 uC/cm2"),
       .coercive = field("1.2 MV/cm"),
       .permittivity = 50,
       .thickness = parse<Length>("10 nm"),
       .reversible = 0.3,
       .viscosity = Resistivity::si(10),
       .kinetics = mfm_kinetics()}};
}

FilmEntry hzo_fefet() {
  return {"hzo_fefet",
          "8 nm Hf0.5Zr0.5O2 in the gate of a small transistor, 20 domains.",
          "Deng et al., Symposium on VLSI Technology (2020), as in boltma/Scalable-FeFET 2e42f88b, whose normal "
          "activation voltages of 2.3 V +- 0.4 V across the film are fields of 2.875 +- 0.5 MV/cm; saturation, "
          "coercive field of the quasi-static loop and viscosity assumed",
          Confidence::published,
          "fecap: {film: hzo_fefet}",
          {.remanent = polarization("25 uC/cm2"),
           .saturation = polarization("30 uC/cm2"),
           .coercive = field("1.2 MV/cm"),
           .permittivity = 28,
           .thickness = parse<Length>("8 nm"),
           .reversible = 0.3,
           .viscosity = Resistivity::si(10),
           .kinetics = {.law = ActivationLaw::normal,
                        .a = 8,
                        .p = 0.6775,
                        .q = 0.8115,
                        .scale = field("2.875 MV/cm"),
                        .spread = field("0.5 MV/cm"),
                        .largest = field("8 MV/cm"),
                        .attempt_time = parse<Time>("19 ns"),
                        .field_exponent = 3,
                        .time_exponent = 2,
                        .offset_spread = field("0 MV/cm"),
                        .domains = 20}}};
}

}  // namespace

void FerroelectricFilm::settings(Settings& v) {
  v("remanent", remanent, "remanent polarization P_r", positive());
  v("saturation", saturation, "saturation polarization P_s", positive());
  v("coercive", coercive, "coercive field E_c of the quasi-static loop", positive());
  v("permittivity", permittivity, "relative permittivity of the part that does not switch", at_least(1));
  v("thickness", thickness, "thickness of the film", positive());
  v("reversible", reversible, "share of the slope of the loop that a small signal moves back and forth", between(0, 1));
  v("viscosity", viscosity, "viscosity rho of the Landau-Khalatnikov equation", positive());
  v.section("kinetics", kinetics, "nucleation-limited switching");
  v.require(remanent < saturation, "remanent", "must be below saturation.");
}

const std::vector<FilmEntry>& film_catalog() {
  static const std::vector<FilmEntry> catalog{hzo_10nm(), hzo_mfm(), hzo_fefet()};
  return catalog;
}

const std::vector<std::string>& film_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const FilmEntry& entry : film_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const FilmEntry& find_film(const std::string& name) {
  const auto& catalog = film_catalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const FilmEntry& entry) { return entry.name == name; });
  if (found != catalog.end()) return *found;
  const std::string near = nearest(name, film_names());
  throw InputError(fmt::format("'{}' is not a known ferroelectric film{} Known films: {}.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                               fmt::join(film_names(), ", ")));
}

}  // namespace tellegen::devices
