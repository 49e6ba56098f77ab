// Dynamic memristors: current against voltage, branch separation, trains of pulses.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/devices/memristor/adaptive.h"
#include "tellegen/devices/memristor/branches.h"
#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {
namespace {

using devices::BranchDrive;
using devices::MemristorModel;
using devices::PulsePair;

struct Measured {
  std::unique_ptr<MemristorModel> model;
  PulsePair pulses;  ///< for the default parameters
};

Measured prepare(const Device& device, const Request& request, Characterization& result) {
  auto file = read_single<devices::MemristorConfig>("memristor", device.smallest_yaml, request.settings);
  result.settings = write_config(file);
  return {file.config.make(), devices::find_memristor(device.name).pulses};
}

/// Share of the state's range that one cycle of a sinusoid sweeps; 1 where it cannot be followed (far too slow a
/// drive).
double swept_share(const MemristorModel& model, double amplitude_V, double frequency_Hz) {
  try {
    const auto found = devices::separate_branches(model, {.amplitude = amplitude_V,
                                                          .frequency_Hz = frequency_Hz,
                                                          .x_at_trough = model.state().initial,
                                                          .samples = 101,
                                                          .tolerance = 1e-6});
    return (found.x_max - found.x_min) / model.state().width();
  } catch (const RefusedError&) {
    return 1;
  }
}

/// The frequency at which one cycle sweeps about `share` of the range: slower drives sweep more.
double frequency_for(const MemristorModel& model, double amplitude_V, double share, double first_guess_Hz) {
  constexpr int decades = 9, halvings = 8;
  double low_Hz = first_guess_Hz, high_Hz = first_guess_Hz;
  if (swept_share(model, amplitude_V, first_guess_Hz) > share) {
    for (int k = 0; k < decades && swept_share(model, amplitude_V, high_Hz) > share; ++k) high_Hz *= 10;
    low_Hz = high_Hz / 10;
  } else {
    for (int k = 0; k < decades && swept_share(model, amplitude_V, low_Hz) < share; ++k) low_Hz /= 10;
    high_Hz = low_Hz * 10;
  }
  for (int k = 0; k < halvings; ++k) {
    const double middle_Hz = std::sqrt(low_Hz * high_Hz);
    (swept_share(model, amplitude_V, middle_Hz) > share ? low_Hz : high_Hz) = middle_Hz;
  }
  return std::sqrt(low_Hz * high_Hz);
}

/// Amplitude and frequency as asked for, or such that one cycle sweeps `share` of the range.
struct Sinusoid {
  double amplitude_V, frequency_Hz;
};
Sinusoid sinusoid(const Measured& device, const Request& request, double share, Characterization& result) {
  const double largest_V = std::max(std::abs(device.pulses.raise_V), std::abs(device.pulses.lower_V));
  Sinusoid drive{request.amplitude ? request.amplitude->si() : largest_V, 0};
  drive.frequency_Hz = request.frequency
                           ? request.frequency->si()
                           : frequency_for(*device.model, drive.amplitude_V, share, 1 / (20 * device.pulses.width_s));
  result.findings.push_back(fmt::format("Driven by a sinusoid of {} at {}{}.",
                                        format_quantity(drive.amplitude_V, Voltage::dimension),
                                        format_quantity(drive.frequency_Hz, Frequency::dimension),
                                        request.frequency ? "" : ", chosen so that the state moves enough to be seen"));
  return drive;
}

}  // namespace

void memristor_iv(const Device& device, const Request& request, Characterization& result) {
  const Measured measured = prepare(device, request, result);
  const Sinusoid drive = sinusoid(measured, request, 0.2, result);
  constexpr int cycles = 2;
  const std::vector<double> t_s = evenly(0, cycles / drive.frequency_Hz, 801);
  const auto value = [&](double t) {
    return drive.amplitude_V * std::sin(2 * std::numbers::pi * drive.frequency_Hz * t);
  };
  const auto state = measured.model->state();
  const auto found = devices::integrate_adaptively(*measured.model, {devices::DriveKind::voltage, value}, state.initial,
                                                   t_s, {.tolerance = 1e-8});
  result.tables.push_back(
      {"loop",
       {{"time", "s", t_s}, {"voltage", "V", found.v_V}, {"current", "A", found.i_A}, {"state", state.unit, found.x}}});
  const auto [low, high] = std::minmax_element(found.x.begin(), found.x.end());
  result.findings.push_back(
      fmt::format("The state sweeps {:.3g} % of its range.", 100 * (*high - *low) / state.width()));
  const plot::Panel loop{"pinched loop", {"voltage", "V"}, {"current", "A"}, {{"", found.v_V, found.i_A}}};
  std::vector<double> share;
  for (const double x : found.x) share.push_back((x - state.low) / state.width());
  const plot::Panel path{"state",
                         {"time", "s", false, true, 0.0, t_s.back()},
                         {fmt::format("({0} - {0}_min) / range", state.name), "", false, false},
                         {{"", t_s, share}}};
  result.figure = {device.name + ": sinusoidal voltage", {loop, path}};
}

void memristor_branches(const Device& device, const Request& request, Characterization& result) {
  const Measured measured = prepare(device, request, result);
  const Sinusoid drive = sinusoid(measured, request, 0.02, result);
  const auto found = devices::separate_branches(*measured.model, {.amplitude = drive.amplitude_V,
                                                                  .frequency_Hz = drive.frequency_Hz,
                                                                  .x_at_trough = measured.model->state().initial});
  std::vector<double> normalised;
  for (const double a : found.separation) normalised.push_back(a / found.shape.scale);
  result.tables.push_back({"branches",
                           {{"xi", "1", found.xi},
                            {"separation", "A", found.separation},
                            {"normalised", "1", normalised},
                            {"reference", "1", found.reference}}});
  result.findings.push_back(
      found.shape.max_deviation
          ? fmt::format("Half the difference of the branches, scaled by {:.4g} A, is xi sqrt(1 - xi^2) within {:.3g} "
                        "(the curve peaks at 0.5).",
                        found.shape.scale, *found.shape.max_deviation)
          : "Half the difference of the branches has nothing of xi sqrt(1 - xi^2) in it.");
  result.findings.push_back(fmt::format("The state moves by {:.3g} % of its range and drifts by {:.3g} % per cycle.",
                                        100 * (found.x_max - found.x_min) / measured.model->state().width(),
                                        100 * found.drift_per_cycle / measured.model->state().width()));
  const plot::Panel panel{"half the difference of the branches, scaled",
                          {"xi = v / amplitude", "", false, false, -1.0, 1.0},
                          {"A(xi) / c", "", false, false},
                          {{"this device", found.xi, normalised},
                           {"xi sqrt(1 - xi^2)", found.xi, found.reference, {}, plot::Style::dashed, 7}}};
  result.figure = {device.name + ": branch separation", {panel}};
}

void memristor_pulses(const Device& device, const Request& request, Characterization& result) {
  const Measured measured = prepare(device, request, result);
  const PulsePair& pulses = measured.pulses;
  constexpr int per_run = 20, runs = 4;
  std::vector<double> number{0}, voltage{0}, conductance, energy{0};
  std::array<double, 1> x{measured.model->state().initial};
  conductance.push_back(devices::conductance_S(*measured.model, x[0], pulses.read_V));
  for (int pulse = 0; pulse < runs * per_run; ++pulse) {
    const std::array<double, 1> v_V{(pulse / per_run) % 2 == 0 ? pulses.raise_V : pulses.lower_V};
    const std::array<double, 1> width_s{pulses.width_s};
    std::array<double, 1> energy_J{0};
    measured.model->advance({.amplitude_V = v_V, .duration_s = width_s}, x, energy_J);
    number.push_back(pulse + 1);
    voltage.push_back(v_V[0]);
    conductance.push_back(devices::conductance_S(*measured.model, x[0], pulses.read_V));
    energy.push_back(energy_J[0]);
  }
  const auto [low, high] = std::minmax_element(conductance.begin(), conductance.end());
  result.findings.push_back(fmt::format(
      "{} pulses of {} and {}, {} long, move the conductance between {} and {} (read at {}).", per_run,
      format_quantity(pulses.raise_V, Voltage::dimension), format_quantity(pulses.lower_V, Voltage::dimension),
      format_quantity(pulses.width_s, Time::dimension), format_quantity(*low, Conductance::dimension),
      format_quantity(*high, Conductance::dimension), format_quantity(pulses.read_V, Voltage::dimension)));
  const plot::Panel panel{fmt::format("runs of {} raising and {} lowering pulses", per_run, per_run),
                          {"pulses", "", false, false, 0.0},
                          {"conductance", "S", *high > 20 * *low},
                          {{"", number, conductance, {}, plot::Style::line_points, 0}}};
  result.figure = {device.name + ": trains of equal pulses", {panel}};
  result.tables.push_back({"train",
                           {{"pulse", "1", std::move(number)},
                            {"voltage", "V", std::move(voltage)},
                            {"conductance", "S", std::move(conductance)},
                            {"energy", "J", std::move(energy)}}});
}

}  // namespace tellegen::characterize
