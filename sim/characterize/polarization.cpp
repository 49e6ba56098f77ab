// Ferroelectric films: polarization loops and the capacitance that a small signal sees.

#include <fmt/format.h>

#include "tellegen/devices/fecap/fecap_array.h"
#include "tellegen/devices/fecap/preisach.h"
#include "tellegen/devices/fecap/small_signal.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {
namespace {

using devices::FerroelectricFilm;

constexpr double MV_per_cm = 1e8, uC_per_cm2 = 1e-2;
constexpr std::size_t points_per_branch = 201;

/// A closed loop between -amplitude and amplitude, after the film was driven far down.
struct Loop {
  std::vector<double> field_V_per_m, polarization_C_per_m2;
};
Loop loop_of(const FerroelectricFilm& film, double amplitude_V_per_m) {
  const double saturating_V_per_m = -20 * film.coercive.si();
  devices::PreisachHysteresis film_state(film.loop(), saturating_V_per_m, devices::Branch::ascending);
  film_state.apply(amplitude_V_per_m);
  Loop loop;
  const auto sweep = [&](double from, double to) {
    for (const double field : evenly(from, to, points_per_branch)) {
      loop.field_V_per_m.push_back(field);
      loop.polarization_C_per_m2.push_back(film_state.apply(field));
    }
  };
  sweep(amplitude_V_per_m, -amplitude_V_per_m);
  sweep(-amplitude_V_per_m, amplitude_V_per_m);
  return loop;
}

std::vector<double> scaled(std::vector<double> values, double unit) {
  for (double& value : values) value /= unit;
  return values;
}

plot::Panel capacitance_panel(const devices::FecapConfig& fecap, double amplitude_V, Characterization& result) {
  const std::vector<double> bias_V = evenly(-amplitude_V, amplitude_V, 2 * points_per_branch);
  std::vector<double> up_F, down_F;
  for (const double v : bias_V) {
    const double field = v / fecap.film.thickness.si();
    for (auto [state, values] : {std::pair{devices::PolarState::up, &up_F}, {devices::PolarState::down, &down_F}}) {
      values->push_back(
          devices::small_signal_capacitance_F(fecap.film, fecap.area.si(), state, field, fecap.imprint.si()));
    }
  }
  result.tables.push_back({"capacitance", {{"bias", "V", bias_V}, {"up", "F", up_F}, {"down", "F", down_F}}});
  return {fmt::format("small signal, {}", format(fecap.area)),
          {"bias", "V"},
          {"capacitance", "F", false, true, 0.0},
          {{"up state", bias_V, up_F}, {"down state", bias_V, down_F}}};
}

}  // namespace

void polarization_loop(const Device& device, const Request& request, Characterization& result) {
  auto file = read_single<devices::FecapConfig>("fecap", device.smallest_yaml, request.settings);
  result.settings = write_config(file);
  const FerroelectricFilm& film = file.config.film;
  const double amplitude_V_per_m =
      request.amplitude ? request.amplitude->si() / film.thickness.si() : 2.5 * film.coercive.si();
  DataTable table{"loops", {{"amplitude", "V/m", {}}, {"field", "V/m", {}}, {"polarization", "C/m^2", {}}}};
  plot::Panel loops{
      "ferroelectric polarization", {"field", "MV/cm", false, false}, {"polarization", "uC/cm2", false, false}, {}};
  for (const double share : {1.0, 0.6, 0.5, 0.4}) {
    const Loop loop = loop_of(film, share * amplitude_V_per_m);
    for (std::size_t i = 0; i < loop.field_V_per_m.size(); ++i) {
      table.columns[0].values.push_back(share * amplitude_V_per_m);
      table.columns[1].values.push_back(loop.field_V_per_m[i]);
      table.columns[2].values.push_back(loop.polarization_C_per_m2[i]);
    }
    loops.series.push_back({fmt::format("{:.3g} MV/cm", share * amplitude_V_per_m / MV_per_cm),
                            scaled(loop.field_V_per_m, MV_per_cm), scaled(loop.polarization_C_per_m2, uC_per_cm2)});
  }
  const double amplitude_V = amplitude_V_per_m * film.thickness.si();
  result.findings.push_back(fmt::format("Loops to {:.3g} V across {}: remanent {:.3g} uC/cm2, coercive {:.3g} MV/cm.",
                                        amplitude_V, format(film.thickness), film.remanent.si() / uC_per_cm2,
                                        film.coercive.si() / MV_per_cm));
  result.tables.push_back(std::move(table));
  result.figure = {device.name + ": polarization and capacitance",
                   {loops, capacitance_panel(file.config, amplitude_V, result)}};
}

}  // namespace tellegen::characterize
