// Batched integration of many VTEAM devices against a scalar loop with Boost.Odeint: the same method, the same steps,
// the same answer. Exit code 0 when the batch is at least four times as fast.

#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "tellegen/devices/memristor/memristor.h"

namespace {

constexpr std::size_t devices = 100000;
constexpr int steps = 50;
constexpr double f_Hz = 1e7, duration_s = 1 / f_Hz, pi = std::numbers::pi;
constexpr double goal = 4;
// States agree to this share of the range: rounding of 50 steps and of two implementations of the power.
constexpr double agreement = 1e-12;

/// The published VTEAM equations, as one would write them for one device; a device at a limit stays there while it is
/// pushed out.
struct ScalarVteam {
  double amplitude_V;
  double a_off, a_on;
  bool at_high = false, at_low = false;  ///< where the step starts
  void operator()(const double& /*w*/, double& dwdt, double t_s) const {
    const double v = amplitude_V * std::sin(2 * pi * f_Hz * t_s);
    dwdt = 0;
    if (v > 0.02) dwdt = 5e-4 * std::pow(v / 0.02 - 1, a_off);
    if (v < -0.2) dwdt = -10 * std::pow(v / -0.2 - 1, a_on);
    if ((at_high && dwdt > 0) || (at_low && dwdt < 0)) dwdt = 0;
  }
};

/// Exponents of the two powers. Whole ones are products, others take a logarithm and an exponential.
struct Exponents {
  double off, on;
};

double scalar_loop(const std::vector<double>& amplitude_V, Exponents a, std::vector<double>& w) {
  const auto start = std::chrono::steady_clock::now();
  boost::numeric::odeint::runge_kutta4<double> stepper;
  const double h_s = duration_s / steps;
  for (std::size_t i = 0; i < devices; ++i) {
    ScalarVteam rhs{amplitude_V[i], a.off, a.on};
    for (int s = 0; s < steps; ++s) {
      rhs.at_high = w[i] >= 3e-9;
      rhs.at_low = w[i] <= 0;
      stepper.do_step(rhs, w[i], s * h_s, h_s);
      w[i] = std::clamp(w[i], 0.0, 3e-9);
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double batch(const tellegen::devices::MemristorModel& model, const std::vector<double>& amplitude_V,
             std::vector<double>& w) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<double> duration(devices, duration_s);
  std::vector<double> shape;
  for (int i = 0; i <= 2 * steps; ++i) shape.push_back(std::sin(pi * i / steps));
  model.advance({.amplitude_V = amplitude_V, .duration_s = duration, .shape = shape, .steps = steps}, w, {});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool compare(Exponents a) {
  const auto model = tellegen::devices::make_memristor(fmt::format("vteam, a_off: {}, a_on: {}", a.off, a.on));
  std::vector<double> amplitude_V(devices), start_m(devices);
  for (std::size_t i = 0; i < devices; ++i) {
    amplitude_V[i] = 0.1 + 0.15 * static_cast<double>(i) / devices;
    start_m[i] = 3e-9 * static_cast<double>(i * 7919 % devices) / devices;
  }
  double best_scalar_s = 1e9, best_batch_s = 1e9;
  std::vector<double> scalar_m, batch_m;
  for (int turn = 0; turn < 5; ++turn) {  // in turns, so that a busy machine slows both
    scalar_m = batch_m = start_m;
    best_scalar_s = std::min(best_scalar_s, scalar_loop(amplitude_V, a, scalar_m));
    best_batch_s = std::min(best_batch_s, batch(*model, amplitude_V, batch_m));
  }
  double apart = 0, moved = 0;
  for (std::size_t i = 0; i < devices; ++i) {
    apart = std::max(apart, std::abs(scalar_m[i] - batch_m[i]) / 3e-9);
    moved = std::max(moved, std::abs(scalar_m[i] - start_m[i]) / 3e-9);
  }
  const double per_step = 1e9 / devices / steps, ratio = best_scalar_s / best_batch_s;
  const bool good = ratio >= goal && apart <= agreement && moved > 0.1;
  fmt::print("VTEAM with exponents {} and {}, {} devices, {} Runge-Kutta steps of a sine each\n", a.off, a.on, devices,
             steps);
  fmt::print("scalar Odeint loop  {:6.1f} ns per device and step\n", best_scalar_s * per_step);
  fmt::print("batch               {:6.1f} ns per device and step\n", best_batch_s * per_step);
  fmt::print("ratio {:.1f} (goal {}), states apart {:.1e} of the range (goal {:.0e}), largest move {:.2f}: {}\n", ratio,
             goal, apart, agreement, moved, good ? "met" : "MISSED");
  return good;
}

}  // namespace

int main() {
  const bool published = compare({1, 3});
  const bool broken = compare({1.4, 2.6});
  return published && broken ? 0 : 1;
}
