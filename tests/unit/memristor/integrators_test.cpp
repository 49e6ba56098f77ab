// Fixed and adaptive steps: orders of convergence, agreement, vector units, kinks.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/base/vector_units.h"
#include "tellegen/devices/memristor/adaptive.h"
#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/devices/memristor/model_of.h"
#include "tellegen/devices/memristor/stanford_pku.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

constexpr double pi = std::numbers::pi;

/// 2 steps + 1 samples of a sine over `cycles`.
std::vector<double> sine_samples(int steps, double cycles) {
  std::vector<double> shape;
  for (int i = 0; i <= 2 * steps; ++i) shape.push_back(std::sin(2 * pi * cycles * i / (2 * steps)));
  return shape;
}

double fixed(const MemristorModel& model, double x0, double amplitude_V, double duration_s, int steps) {
  std::vector<double> x{x0};
  const double v[1] = {amplitude_V}, duration[1] = {duration_s};
  const auto shape = sine_samples(steps, 0.4);
  model.advance({.amplitude_V = v, .duration_s = duration, .shape = shape, .steps = steps}, x, {});
  return x[0];
}

/// Halving the step of the fourth-order method divides the error by 16.
TEST(Integrators, FixedStepHasOrderFour) {
  struct Case {
    const char* settings;
    double x0, amplitude_V, duration_s;
    int steps;
  };
  for (const Case c :
       {Case{"hp, window: joglekar, p: 2", 0.4, 1, 0.2, 16}, Case{"knowm", 0.3, 0.3, 2e-4, 64},
        Case{"chang, diffusion: true", 0.3, 1, 2, 16}, Case{"hp, window: prodromakis, p: 3", 0.5, 1, 0.3, 16}}) {
    const auto model = make_memristor(c.settings);
    const double t_s[2] = {0, c.duration_s};
    const Drive drive{DriveKind::voltage,
                      [&](double t) { return c.amplitude_V * std::sin(2 * pi * 0.4 * t / c.duration_s); }};
    const double exact = integrate_adaptively(*model, drive, c.x0, t_s, {.tolerance = 1e-14}).x[1];
    const double coarse = std::abs(fixed(*model, c.x0, c.amplitude_V, c.duration_s, c.steps) - exact);
    const double fine = std::abs(fixed(*model, c.x0, c.amplitude_V, c.duration_s, 2 * c.steps) - exact);
    const double finest = std::abs(fixed(*model, c.x0, c.amplitude_V, c.duration_s, 4 * c.steps) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.35) << c.settings << ' ' << coarse << ' ' << fine;
    EXPECT_NEAR(std::log2(fine / finest), 4, 0.35) << c.settings << ' ' << fine << ' ' << finest;
  }
}

/// A tolerance a hundred times tighter gives an error about a hundred times smaller.
TEST(Integrators, AdaptiveErrorFollowsTheTolerance) {
  const auto model = make_memristor("hp");
  const double t_s[2] = {0, 0.04};
  const Drive drive{DriveKind::voltage, [](double t) { return std::sin(20 * pi * t); }};
  const double flux_Vs = (1 - std::cos(20 * pi * 0.04)) / (20 * pi);
  const double m = std::sqrt(std::pow(16000 - 15900 * 0.4, 2) - 2 * 15900 * 1e4 * flux_Vs), exact = (16000 - m) / 15900;
  const auto error = [&](double tolerance) {
    const AdaptiveSettings settings{.tolerance = tolerance, .longest_step_s = 1};
    return std::abs(integrate_adaptively(*model, drive, 0.4, t_s, settings).x[1] - exact);
  };
  EXPECT_LT(error(1e-6), 1e-5);
  EXPECT_LT(error(1e-9), 0.05 * error(1e-6));
  EXPECT_LT(error(1e-12), 1e-11);
}

/// Steps end at thresholds, so the tolerance is kept across kinks: VTEAM has the closed form of an integral.
TEST(Integrators, AdaptiveKeepsItsToleranceAcrossThresholds) {
  const auto model = make_memristor("vteam, v_off: 0.2 V, v_on: -0.2 V, k_off: 1e-4, k_on: -1e-4, a_on: 1");
  const double w = 2 * pi * 1e5, amplitude_V = 0.5, t_s[2] = {0, pi / w};
  const Drive drive{DriveKind::voltage, [&](double t) { return amplitude_V * std::sin(w * t); }};
  const auto path = integrate_adaptively(*model, drive, 1e-9, t_s, {.tolerance = 1e-12});
  // integral of k (A sin(w t) / v - 1) between the crossings of the threshold
  const double a = std::asin(0.2 / amplitude_V);
  const double want = 1e-9 + 1e-4 / w * (amplitude_V / 0.2 * 2 * std::cos(a) - (pi - 2 * a));
  test::expect_close(path.x[1], want, 1e-12, 0, "w");
  EXPECT_EQ(path.events, 2u);
}

/// The Stanford-PKU rate jumps at its least field; splitting there leaves few steps.
TEST(Integrators, AdaptiveCrossesAJump) {
  const auto model = make_memristor("stanford_pku");
  const double t_s[2] = {0, 5e-9};
  const Drive drive{DriveKind::voltage, [](double t) { return 1.3 * std::sin(2 * pi * 1e8 * t); }};
  const auto path = integrate_adaptively(*model, drive, 0.8e-9, t_s, {.tolerance = 1e-11});
  EXPECT_GE(path.events, 2u);
  EXPECT_LT(path.steps, 600u);
  const auto tighter = integrate_adaptively(*model, drive, 0.8e-9, t_s, {.tolerance = 1e-13});
  EXPECT_GT(std::abs(tighter.x[1] - 0.8e-9), 1e-12);
  EXPECT_NEAR(path.x[1], tighter.x[1], 1e-8 * std::abs(tighter.x[1] - 0.8e-9) + 1e-20);
}

/// The same device alone, in a block, across blocks.
TEST(Integrators, DevicesAreIndependent) {
  for (const auto& entry : memristor_catalog()) {
    const auto model = entry.defaults()->make();
    const StateRange range = model->state();
    const std::size_t n = 2 * memristor_block + 7;
    std::vector<double> x(n), v(n), t(n, entry.pulses.width_s), energy_J(n), factor(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = range.low + range.width() * static_cast<double>(i % 97) / 96;
      v[i] = (i % 2 ? entry.pulses.raise_V : entry.pulses.lower_V) * (0.5 + static_cast<double>(i % 13) / 13);
      factor[i] = 0.5 + static_cast<double>(i % 5);
    }
    std::vector<double> together = x;
    const auto shape = sine_samples(20, 1);
    model->advance({v, t, shape, 20, factor, {}}, together, energy_J);
    for (const std::size_t i : {std::size_t{0}, std::size_t{513}, n - 1}) {
      double alone[1] = {x[i]}, energy[1] = {0};
      model->advance(
          {std::span(v).subspan(i, 1), std::span(t).subspan(i, 1), shape, 20, std::span(factor).subspan(i, 1), {}},
          alone, energy);
      EXPECT_EQ(alone[0], together[i]) << entry.name << ' ' << i;
      EXPECT_EQ(energy[0], energy_J[i]) << entry.name << ' ' << i;
    }
  }
}

/// Every vector unit gives the same bits.
TEST(Integrators, VectorUnitsAgree) {
  const StanfordKernel kernel{{0.2e-9, 1.7e-9, 1e-9, "gap", "m"},
                              0.25e-9,
                              0.25,
                              1e-3,
                              298,
                              2.1e3,
                              16,
                              0.8,
                              12e-9,
                              1.4e9,
                              10,
                              0.6,
                              0.25e-9,
                              0,
                              1e-9,
                              450,
                              500};
  std::vector<double> x(257), v(257), h(257, 1e-9), factor(257, 1.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.2e-9 + 1.5e-9 * static_cast<double>(i) / 256;
    v[i] = 1.6 * std::sin(static_cast<double>(i));
  }
  const double shape[5] = {1, 1, 0.9, 0.8, 0.7};
  const auto run = [&](VectorUnit unit) {
    std::vector<double> states = x;
    run_kernel<RungeKuttaLoop<StanfordKernel>>(
        unit, kernel, MemristorBlock{states.data(), v.data(), h.data(), factor.data(), x.size()},
        static_cast<const double*>(shape), 2);
    return states;
  };
  const auto baseline = run(VectorUnit::baseline);
  EXPECT_NE(baseline, x);
  for (const VectorUnit unit : vector_units) {
    if (!is_supported(unit)) continue;
    EXPECT_EQ(run(unit), baseline);
  }
}

/// v q for a charge-controlled memristor: the energy of a pulse is v (x1 - x0) / k.
TEST(Integrators, EnergyOfAPulse) {
  const auto model = make_memristor("hp");
  double x[1] = {0.2}, energy_J[1] = {0};
  const double v[1] = {1.5}, width[1] = {0.05};
  model->advance({.amplitude_V = v, .duration_s = width}, x, energy_J);
  test::expect_close(energy_J[0], 1.5 * (x[0] - 0.2) / 1e4, 1e-7, 0, "energy");
  // The same by Runge-Kutta, with a window whose energy is that of the adaptive path.
  const auto windowed = make_memristor("hp, window: joglekar, p: 1");
  double y[1] = {0.2}, spent_J[1] = {0};
  windowed->advance({.amplitude_V = v, .duration_s = width}, y, spent_J);
  std::vector<double> t_s;
  for (int i = 0; i <= 2000; ++i) t_s.push_back(0.05 * i / 2000);
  const auto path = integrate_adaptively(*windowed, {DriveKind::voltage, [](double) { return 1.5; }}, 0.2, t_s);
  double want_J = 0;
  for (std::size_t i = 0; i + 1 < t_s.size(); ++i) want_J += 1.5 * 0.5 * (path.i_A[i] + path.i_A[i + 1]) * 0.05 / 2000;
  test::expect_close(spent_J[0], want_J, 1e-6, 0, "energy");
  test::expect_close(y[0], path.x.back(), 1e-9, 0, "x");
}

/// The spread that noise leaves does not depend on the number of steps.
TEST(Integrators, StanfordNoiseIsIndependentOfTheStep) {
  const auto model = make_memristor("stanford_pku, noise: 0.02, noise_step: 1 ns, r_th: 0");
  ASSERT_TRUE(model->is_noisy());
  const std::size_t n = 20000;
  const auto spread = [&](int steps) {
    std::vector<double> x(n, 1e-9);
    const std::vector<double> v(n, 0.1), t(n, 20e-9);
    std::vector<float> draws(n * static_cast<std::size_t>(steps));
    Stream(7, Purpose::test, {}).normals(0, draws);
    model->advance({.amplitude_V = v, .duration_s = t, .steps = steps, .noise_draws = draws}, x, {});
    double mean = 0, squares = 0;
    for (const double gap : x) mean += gap / static_cast<double>(n);
    for (const double gap : x) squares += (gap - mean) * (gap - mean) / static_cast<double>(n);
    return std::sqrt(squares);
  };
  // 0.02 m/s held for 1 ns, 20 times, at half activation of a cold device: 1 / (1 + e^((450 - 298) / 500)).
  const double want = 0.02 * std::sqrt(1e-9 * 20e-9) / (1 + std::exp(152.0 / 500));
  // Three standard errors of a spread from 20000 draws: 1.5 %.
  EXPECT_NEAR(spread(4) / want, 1, 0.015);
  EXPECT_NEAR(spread(32) / want, 1, 0.015);
}

}  // namespace
}  // namespace tellegen::devices
