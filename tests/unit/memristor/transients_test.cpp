// States over time against stored transients and closed forms.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/devices/memristor/adaptive.h"
#include "tellegen/devices/memristor/memristor.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using test::expect_close;

const nlohmann::json& stored() {
  static const nlohmann::json all = test::vectors("memristor_models.json");
  return all;
}

Drive sine(double amplitude_V, double f_Hz) {
  return {DriveKind::voltage, [=](double t_s) { return amplitude_V * std::sin(2 * std::numbers::pi * f_Hz * t_s); }};
}

/// The state at the end of one pulse of one device.
double pulsed(const MemristorModel& model, double x, double v_V, double width_s, int steps = 0) {
  std::vector<double> state{x};
  const double v[1] = {v_V}, width[1] = {width_s};
  model.advance({.amplitude_V = v, .duration_s = width, .steps = steps}, state, {});
  return state[0];
}

TEST(Transients, HpUnderASine) {
  const auto check = [](const char* settings, const char* key) {
    const auto model = make_memristor(settings);
    const auto& rows = stored()[key];
    std::vector<double> t_s;
    for (const auto& row : rows) t_s.push_back(row["t"]);
    const auto path = integrate_adaptively(*model, sine(1, 10), 0.4, t_s, {.tolerance = 1e-12});
    for (std::size_t i = 0; i < t_s.size(); ++i) {
      expect_close(path.x[i], rows[i]["x"], 1e-8, 0, settings);
      expect_close(path.i_A[i], rows[i]["i"], 1e-8, 1e-12, settings);
      if (rows[i].contains("x_closed_form")) expect_close(path.x[i], rows[i]["x_closed_form"], 1e-11, 0, settings);
    }
  };
  check("hp", "hp_linear_drift.transient.rows");
  check("hp, window: joglekar, p: 2", "hp_linear_drift.transient.rows_joglekar_p2");
}

TEST(Transients, VteamPulses) {
  const auto model = make_memristor("vteam");
  const auto& want = stored()["vteam.pulse"];
  const double after_first = pulsed(*model, want["w0"], want["v"], want["width_s"]);
  expect_close(after_first, want["w_end"], 1e-12, 0, "w");
  expect_close(pulsed(*model, 1e-9, want["v2"], want["width2_s"]), want["w_end2"], 1e-12, 0, "w");
}

/// Models with a closed form: the pulse that `advance` gives against adaptive integration at tight tolerance.
TEST(Transients, ClosedPulsesSolveTheEquation) {
  struct Case {
    const char* settings;
    double x, v_V, width_s;
  };
  const Case cases[] = {
      {"hp", 0.3, 1, 0.1},
      {"hp", 0.3, -1, 0.1},
      {"flux_controlled", 0.1, -0.7, 0.1},
      {"vteam", 1e-9, 0.5, 5e-8},
      {"vteam", 2e-9, -0.3, 1e-10},
      {"knowm", 0.2, 0.3, 1e-4},
      {"knowm", 0.9, -0.3, 3e-4},
      {"chang", 0.3, 1, 0.3},
      {"chang, diffusion: true", 0.8, -0.3, 2},
      {"chang, diffusion: true", 0.2, 0.6, 3},
      {"pershin", 4e3, 2.1, 1e-9},
      {"data_driven", 2400, 1.2, 2e-6},
      {"data_driven", 1900, -1.5, 2e-6},
      {"data_driven, law: exponential, r_on: 1280 ohm, r_off: 17 kohm, r_start: 9 kohm, positive: {a: 0.24, b: 3, "
       "scale: "
       "743.47, t: 6.51, k: 5.11e-4, r0: 16719, r1: 0}, negative: {a: 0.24, b: 3, scale: -68012.28374, t: 0.31645, k: "
       "1.17e-3, r0: 29304.82557, r1: 23692.77225}",
       3000, 0.9, 1e-3},
      {"data_driven, law: exponential, r_on: 1280 ohm, r_off: 17 kohm, r_start: 9 kohm, positive: {a: 0.24, b: 3, "
       "scale: "
       "743.47, t: 6.51, k: 5.11e-4, r0: 16719, r1: 0}, negative: {a: 0.24, b: 3, scale: -68012.28374, t: 0.31645, k: "
       "1.17e-3, r0: 29304.82557, r1: 23692.77225}",
       9000, -0.9, 1e-2},
  };
  for (const Case& c : cases) {
    const auto model = make_memristor(c.settings);
    ASSERT_TRUE(model->pulses_are_exact()) << c.settings;
    const double t_s[2] = {0, c.width_s};
    const Drive constant{DriveKind::voltage, [&](double) { return c.v_V; }};
    const auto path = integrate_adaptively(*model, constant, c.x, t_s, {.tolerance = 1e-13});
    const double moved = std::abs(path.x[1] - c.x);
    EXPECT_GT(moved, 0.003 * model->state().width()) << c.settings;
    expect_close(pulsed(*model, c.x, c.v_V, c.width_s), path.x[1], 1e-10, moved, c.settings);
  }
}

TEST(Transients, HpStopsAtItsLimitsAndComesBack) {
  const auto model = make_memristor("hp");
  EXPECT_EQ(pulsed(*model, 0.9, 1, 10), 1.0);
  EXPECT_EQ(pulsed(*model, 0.1, -1, 10), 0.0);
  // 1 V for 1 s runs into x = 1, then -1 V from there for 0.05 s: the closed form from x = 1.
  const double t_s[3] = {0, 1, 1.05};
  const Drive there_and_back{DriveKind::voltage, [](double t) { return t < 1 ? 1.0 : -1.0; }};
  const auto path = integrate_adaptively(*model, there_and_back, 0.5, t_s, {.tolerance = 1e-12});
  EXPECT_EQ(path.x[1], 1.0);
  const double m = std::sqrt(100.0 * 100.0 + 2 * 15900.0 * 1e4 * 0.05);
  EXPECT_NEAR(path.x[2], (16000 - m) / 15900, 1e-10);
}

/// Charge moves x: dx/dt = k i at any x.
TEST(Transients, HpUnderCurrentFollowsTheCharge) {
  const auto model = make_memristor("hp");
  const Drive current{DriveKind::current, [](double t_s) { return 1e-5 * std::cos(3 * t_s); }};
  std::vector<double> t_s;
  for (int i = 0; i <= 20; ++i) t_s.push_back(0.1 * i);
  const auto path = integrate_adaptively(*model, current, 0.5, t_s, {.tolerance = 1e-14});
  for (std::size_t i = 0; i < t_s.size(); ++i) {
    const double x = 0.5 + 1e4 * 1e-5 * std::sin(3 * t_s[i]) / 3;
    EXPECT_NEAR(path.x[i], x, 1e-12);
    EXPECT_NEAR(path.v_V[i], path.i_A[i] * (100 * x + 16000 * (1 - x)), 1e-12);
  }
}

TEST(Transients, EveryModelInvertsItsCurrent) {
  for (const auto& entry : memristor_catalog()) {
    const auto model = entry.defaults()->make();
    const StateRange range = model->state();
    for (const double share : {0.2, 0.5, 0.9}) {
      const double x = range.low + share * range.width();
      for (const double v : {-0.4, -0.05, 0.02, 0.3}) {
        expect_close(model->voltage_V(x, model->current_A(x, v)), v, 1e-11, 0, entry.name);
      }
    }
  }
}

TEST(Transients, ASteepDriveIsRefusedInsteadOfHanging) {
  const auto model = make_memristor("hp");
  const double t_s[2] = {0, 1};
  try {
    integrate_adaptively(*model, sine(1, 1e3), 0.5, t_s, {.tolerance = 1e-12, .most_steps = 50});
    FAIL();
  } catch (const RefusedError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("The adaptive integration stops at t = ")) << text;
    EXPECT_TRUE(text.ends_with(" s: the steps run out. Allow a larger tolerance, more steps, or a smaller drive."))
        << text;
  }
}

}  // namespace
}  // namespace tellegen::devices
