// Windows, currents and rates of the models at single points, against vectors computed from the published equations.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tellegen/devices/memristor/memristor.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using test::expect_close;

constexpr double exact = 1e-12;

const nlohmann::json& stored() {
  static const nlohmann::json all = test::vectors("memristor_models.json");
  return all;
}

/// Current and rate, once for one device and once through the loop over an array.
struct Point {
  double i_A, rate_per_s;
};
Point at(const MemristorModel& model, double x, double v_V) {
  const double xs[1] = {x}, vs[1] = {v_V};
  double i_A[1], rate[1];
  model.currents(xs, vs, i_A);
  model.rates(xs, vs, rate);
  EXPECT_EQ(i_A[0], model.current_A(x, v_V));
  EXPECT_EQ(rate[0], model.rate_per_s(x, v_V));
  return {i_A[0], rate[0]};
}

/// The window is the rate over that without a window, at a voltage of the given sign.
TEST(MemristorPoints, Windows) {
  const auto free = make_memristor("hp");
  const auto window = [&](const std::string& settings, double x, double v_V) {
    const auto model = make_memristor("hp, " + settings);
    return model->rate_per_s(x, v_V) / free->rate_per_s(x, v_V);
  };
  for (const auto& row : stored()["windows.rows"]) {
    const double x = row["x"];
    for (const int p : {1, 2, 7}) {
      const auto check = [&](const std::string& kind, const std::string& key, double v_V) {
        const std::string settings = fmt::format("window: {}, p: {}", kind, p);
        expect_close(window(settings, x, v_V), row[key], exact, 1, fmt::format("{} at {}", settings, x));
      };
      check("joglekar", fmt::format("joglekar_p{}", p), 0.7);
      check("biolek", fmt::format("biolek_p{}_ipos", p), 0.7);
      check("biolek", fmt::format("biolek_p{}_ineg", p), -0.7);
      check("prodromakis", fmt::format("prodromakis_p{}_j1", p), 0.7);
    }
  }
}

TEST(MemristorPoints, ProdromakisScale) {
  const auto one = make_memristor("hp, window: prodromakis, p: 3"),
             half = make_memristor("hp, window: prodromakis, p: 3, j: 0.5");
  EXPECT_DOUBLE_EQ(half->rate_per_s(0.3, 1), 0.5 * one->rate_per_s(0.3, 1));
}

TEST(MemristorPoints, HpLinearDrift) {
  const auto plain = make_memristor("hp"), joglekar = make_memristor("hp, window: joglekar, p: 2");
  for (const auto& row : stored()["hp_linear_drift.points"]) {
    const double x = row["x"], v = row["v"];
    expect_close(at(*plain, x, v).rate_per_s, row["dxdt_no_window"], exact, 0, "dx/dt");
    expect_close(at(*joglekar, x, v).rate_per_s, row["dxdt_joglekar_p2"], exact, 0, "dx/dt with window");
    expect_close(at(*plain, x, v).i_A, row["i"], exact, 0, "i");
  }
}

TEST(MemristorPoints, HpThresholdStopsTheDrift) {
  const auto model = make_memristor("hp, threshold: 0.55 V"), free = make_memristor("hp");
  EXPECT_EQ(model->rate_per_s(0.5, 0.54), 0);
  EXPECT_EQ(model->rate_per_s(0.5, -0.54), 0);
  EXPECT_EQ(model->rate_per_s(0.5, 0.56), free->rate_per_s(0.5, 0.56));
}

TEST(MemristorPoints, Vteam) {
  const auto linear = make_memristor("vteam"), exponential = make_memristor("vteam, conduction: exponential");
  for (const auto& row : stored()["vteam.points"]) {
    const double w = row["w"], v = row["v"];
    expect_close(at(*linear, w, v).rate_per_s, row["dwdt"], exact, 0, "dw/dt");
    expect_close(at(*exponential, w, v).rate_per_s, row["dwdt"], exact, 0, "dw/dt");
    expect_close(at(*linear, w, v).i_A, row["i_linear"], exact, 0, "linear i");
    expect_close(at(*exponential, w, v).i_A, row["i_exponential"], exact, 0, "exponential i");
  }
}

/// Whole exponents take another path than the general power: both give the same curve.
TEST(MemristorPoints, VteamExponentsNeedNotBeWhole) {
  for (int n = 1; n <= 8; ++n) {
    const auto exact_power = make_memristor(fmt::format("vteam, a_on: {}", n));
    const auto general = make_memristor(fmt::format("vteam, a_on: {}, a_off: 1.5", n));
    for (const double v : {-0.21, -0.3, -1.1}) {
      const double want = -10 * std::pow(v / -0.2 - 1, n);
      expect_close(at(*exact_power, 1e-9, v).rate_per_s, want, exact, 0, "whole");
      expect_close(at(*general, 1e-9, v).rate_per_s, want, exact, 0, "general");
    }
    expect_close(at(*general, 1e-9, 0.3).rate_per_s, 5e-4 * std::pow(14, 1.5), exact, 0, "1.5");
  }
}

TEST(MemristorPoints, Yakopcic) {
  const std::pair<const char*, const char*> sets[] = {
      {"Oblea", "yakopcic"},
      {"Miao", "yakopcic, a1: 0.11 A, a2: 0.11 A, b: 0.5, a_p: 7.5, a_n: 2, v_p: 0.09 V, v_n: 0.75 V"},
      {"Jo",
       "yakopcic, a1: 0.37 uA, a2: 0.435 uA, b: 0.7, a_p: 0.005, a_n: 0.08, v_p: 1.5 V, v_n: 0.5 V, alpha_p: 1.2, "
       "alpha_n: 3, x_p: 0.2"}};
  for (const auto& [name, settings] : sets) {
    const auto model = make_memristor(settings);
    for (const auto& row : stored()[fmt::format("yakopcic.points_{}", name)]) {
      const double x = row["x"], v = row["v"];
      expect_close(at(*model, x, v).rate_per_s, row["dxdt"], exact, 0, fmt::format("{} dx/dt at {}, {}", name, x, v));
      expect_close(at(*model, x, v).i_A, row["i"], exact, 0, fmt::format("{} i at {}, {}", name, x, v));
    }
  }
}

TEST(MemristorPoints, YakopcicWithTheOtherPolarity) {
  const auto plus = make_memristor("yakopcic"), minus = make_memristor("yakopcic, eta: -1");
  // x at 0.4 lies in the damped zone of both directions; eta swaps the direction at a voltage.
  EXPECT_LT(minus->rate_per_s(0.4, 0.3), 0);
  EXPECT_GT(minus->rate_per_s(0.4, -0.3), 0);
  // Falling under a positive voltage: g(v) of v_p, f of falling: e^(5 (0.4 + 0.5 - 1)) 0.4 / 0.5.
  const double g = 4000 * (std::exp(0.3) - std::exp(0.16)), f = std::exp(-0.5) * 0.8;
  EXPECT_NEAR(minus->rate_per_s(0.4, 0.3), -g * f, 1e-9);
  EXPECT_EQ(plus->raising_sign(), 1);
  EXPECT_EQ(minus->raising_sign(), -1);
}

TEST(MemristorPoints, StanfordPku) {
  const auto model = make_memristor("stanford_pku");
  for (const auto& row : stored()["stanford_pku.points"]) {
    const double gap = row["gap_m"], v = row["v"];
    const std::string place = fmt::format(" at {}, {}", gap, v);
    expect_close(at(*model, gap, v).i_A, row["i"], exact, 0, "i" + place);
    // The exponent e_a / kT is near 23, the argument of sinh near 20: their rounding is seen here.
    expect_close(at(*model, gap, v).rate_per_s, row["dgdt"], exact, 0, "dgap/dt" + place);
  }
}

TEST(MemristorPoints, StanfordPkuWithoutHeatingIsSlower) {
  const auto hot = make_memristor("stanford_pku"), cold = make_memristor("stanford_pku, r_th: 0");
  EXPECT_LT(std::abs(cold->rate_per_s(0.4e-9, 1.2)), 0.9 * std::abs(hot->rate_per_s(0.4e-9, 1.2)));
}

TEST(MemristorPoints, Knowm) {
  const auto model = make_memristor("knowm");
  // The vectors hold 1 - s(z), which has lost digits where s is near 1: compared on the scale of the rate 1 / tau.
  for (const auto& row : stored()["knowm_mss.points"]) {
    const double x = row["x"], v = row["v"];
    expect_close(at(*model, x, v).rate_per_s, row["dxdt"], exact, 1e4, "dx/dt");
    expect_close(at(*model, x, v).i_A, row["i"], exact, 0, "i");
  }
}

TEST(MemristorPoints, Chang) {
  const auto drift = make_memristor("chang"), diffusion = make_memristor("chang, diffusion: true");
  for (const auto& row : stored()["chang_umich.points"]) {
    const double x = row["x"], v = row["v"];
    expect_close(at(*drift, x, v).rate_per_s, row["dxdt_no_diffusion"], exact, 0, "dx/dt");
    expect_close(at(*diffusion, x, v).rate_per_s, row["dxdt_diffusion"], exact, 0, "dx/dt with diffusion");
    expect_close(at(*drift, x, v).i_A, row["i"], exact, 0, "i");
  }
}

TEST(MemristorPoints, PershinDiVentra) {
  const auto model = make_memristor("pershin");
  for (const auto& row : stored()["pershin_diventra.points"]) {
    const double v = row["v"];
    expect_close(at(*model, 5e3, v).rate_per_s, row["dRdt"], exact, 1e9, "dR/dt");
    EXPECT_DOUBLE_EQ(at(*model, 5e3, v).i_A, v / 5e3);
  }
}

/// The equations once more, with the standard library.
TEST(MemristorPoints, DataDriven) {
  const auto quadratic = make_memristor("data_driven");
  for (const double r : {1700.0, 2200.0, 2900.0}) {
    for (const double v : {-1.6, -1.0, -0.4, 0.4, 0.9, 1.5}) {
      const bool up = v > 0;
      const double s = (up ? 600.10075 : -34.5988399) * (std::exp(std::abs(v) / (up ? -0.0212028 : -0.05343997)) - 1);
      const double to_go = (up ? 2699.2336 - 672.930205 * v : 649.413746 - 1474.32358 * v) - r;
      const double want = s * to_go > 0 ? s * to_go * to_go : 0;
      expect_close(at(*quadratic, r, v).rate_per_s, want, exact, 0, fmt::format("dR/dt at {}, {}", r, v));
      expect_close(at(*quadratic, r, v).i_A, 0.32046175 / r * std::sinh(2.71689828 * v), exact, 0, "i");
    }
  }
  const auto exponential = make_memristor(
      "data_driven, law: exponential, r_on: 1280 ohm, r_off: 17 kohm, r_start: 9 kohm, "
      "positive: {a: 0.24, b: 3, scale: 743.47, t: 6.51, k: 5.11e-4, r0: 16719, r1: 0}, "
      "negative: {a: 0.24, b: 3, scale: -68012.28374, t: 0.31645, k: 1.17e-3, r0: 29304.82557, r1: 23692.77225}");
  for (const double r : {2000.0, 9000.0, 16800.0}) {
    for (const double v : {-1.1, -0.9, 0.5, 1.0}) {
      const bool up = v > 0;
      const double s = (up ? 743.47 : -68012.28374) * (std::exp((up ? 6.51 : 0.31645) * std::abs(v)) - 1);
      const double to_go = (up ? 16719 : 29304.82557 + 23692.77225 * v) - r;
      const double want = s * to_go > 0 ? s * (std::exp((up ? 5.11e-4 : 1.17e-3) * std::abs(to_go)) - 1) : 0;
      expect_close(at(*exponential, r, v).rate_per_s, want, exact, 0, fmt::format("dR/dt at {}, {}", r, v));
    }
  }
}

TEST(MemristorPoints, FluxControlled) {
  const auto model = make_memristor("flux_controlled, w1: 3e-4, w2: 5e-4, w3: -2e-4");
  const double phi = 0.2;
  EXPECT_DOUBLE_EQ(model->current_A(phi, 0.5), 0.5 * (1e-4 + 3e-4 * phi + 5e-4 * phi * phi - 2e-4 * phi * phi * phi));
  EXPECT_EQ(model->rate_per_s(phi, 0.5), 0.5);
}

}  // namespace
}  // namespace tellegen::devices
