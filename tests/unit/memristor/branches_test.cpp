// Branch separation against closed forms and stored vectors.

#include "tellegen/devices/memristor/branches.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <memory>
#include <numbers>
#include <set>
#include <string>

#include "tellegen/devices/memristor/branch_table.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using test::expect_close;
constexpr double pi = std::numbers::pi;

const nlohmann::json& stored() {
  static const nlohmann::json all = test::vectors("branch_separation.json");
  return all;
}

TEST(Branches, HyperbolicGate) {
  for (const auto& row : stored()["identity"]) {
    const double g = row["g"];
    expect_close(hyperbolic_gate(g), row["tanh_sech"], 1e-12, 1e-3, "gate");
    expect_close(hyperbolic_gate_slope(g), row["derivative"], 1e-12, 1e-3, "slope");
    const double xi = row["xi"];
    EXPECT_NEAR(xi * std::sqrt((1 - xi) * (1 + xi)), hyperbolic_gate(g), 1e-12);
  }
}

TEST(Branches, GateMatchesTheSizeOfSilu) {
  for (const auto& row : stored()["c0_rms_match"]) {
    const GateSize size = match_silu(row["sigma"]);
    expect_close(size.silu_rms, row["rms_silu"], 1e-10, 0, "SiLU");
    expect_close(size.gate_rms, row["rms_tanhsech"], 1e-10, 0, "gate");
  }
  EXPECT_NEAR(match_silu(1.0).scale(), 1.5868, 5e-5);
}

TEST(Branches, IdealMemristorIsExact) {
  const auto& want = stored()["ideal_linear"];
  const auto model = make_memristor("flux_controlled, flux_max: 0.05");
  const auto found = separate_branches(*model, {.frequency_Hz = 10, .x_at_trough = 0, .tolerance = 1e-14});
  const double n = want["N_theory_A"];
  for (std::size_t i = 0; i < found.xi.size(); ++i) EXPECT_NEAR(found.separation[i] / n, found.reference[i], 1e-13);
  for (std::size_t i = 0; i < want["samples"].size(); ++i) {
    EXPECT_NEAR(found.separation[20 * i] / n, want["samples"][i]["A_over_N"], 1e-12);
  }
  EXPECT_LT(*found.shape.max_deviation, 1e-13);
  EXPECT_NEAR(found.shape.peak_xi_positive, std::numbers::sqrt2 / 2, 1e-9);
  EXPECT_NEAR(found.shape.peak_g, std::asinh(1.0), 1e-9);
}

TEST(Branches, EvenTermsOfTheMemductanceCancel) {
  const auto model = make_memristor("flux_controlled, flux_max: 0.05, w2: 5e-3");
  const auto found = separate_branches(*model, {.frequency_Hz = 10, .x_at_trough = 0, .tolerance = 1e-14});
  EXPECT_LT(*found.shape.max_deviation, 1e-13);
}

TEST(Branches, CubicTermFollowsItsFormula) {
  const auto model = make_memristor("flux_controlled, flux_max: 0.05, w3: 0.2");
  const auto found = separate_branches(*model, {.frequency_Hz = 10, .x_at_trough = 0, .tolerance = 1e-14});
  const double flux_Vs = 1 / (20 * pi), r = 0.2 * flux_Vs * flux_Vs / 2e-4;
  for (std::size_t i = 0; i < found.xi.size(); ++i) {
    const double s2 = 1 - found.xi[i] * found.xi[i];
    EXPECT_NEAR(found.separation[i] / (2e-4 * flux_Vs), found.reference[i] * (1 + r * s2), 1e-13);
  }
  expect_close(*found.shape.max_deviation, stored()["ideal_cubic"]["max_abs_dev_after_lsq"], 1e-9, 0, "deviation");
  expect_close(found.shape.peak_xi_positive, stored()["ideal_cubic"]["peak_xi_pos"], 1e-9, 0, "peak");
}

TEST(Branches, TriangularDriveGivesAnotherShape) {
  const auto model = make_memristor("flux_controlled, flux_max: 0.05");
  const auto found = separate_branches(
      *model, {.waveform = Waveform::triangle, .frequency_Hz = 10, .x_at_trough = 0, .tolerance = 1e-14});
  for (std::size_t i = 0; i < found.xi.size(); ++i) {
    const double xi = found.xi[i];
    EXPECT_NEAR(found.separation[i] / (2e-4 / 80), xi * (1 - xi * xi), 1e-12);
  }
  for (const auto& row : stored()["triangle"]) {
    const double xi = row["xi"];
    EXPECT_NEAR(xi * (1 - xi * xi), row["A_over_N"], 1e-12);
  }
}

constexpr double off_minus_on_ohm = 15900, drift_per_C = 1e4, centre_ohm = 8e3;
constexpr double centre_x = (16e3 - centre_ohm) / off_minus_on_ohm;

TEST(Branches, HpUnderCurrentIsExactAtAnyExcursion) {
  const auto model = make_memristor("hp");
  for (const auto& row : stored()["hp_current"]) {
    const auto found = separate_branches(*model, {.kind = DriveKind::current,
                                                  .amplitude = 1e-4,
                                                  .frequency_Hz = row["f_Hz"],
                                                  .x_at_trough = centre_x,
                                                  .tolerance = 1e-14});
    const double n = row["N_theory_V"];
    for (std::size_t i = 0; i < found.xi.size(); ++i) EXPECT_NEAR(found.separation[i] / n, found.reference[i], 1e-12);
  }
}

TEST(Branches, HpUnderVoltageFollowsItsClosedForm) {
  const auto model = make_memristor("hp");
  for (const auto& row : stored()["hp_voltage"]) {
    const double u = row["u"];
    const auto found =
        separate_branches(*model, {.frequency_Hz = row["f_Hz"], .x_at_trough = centre_x, .tolerance = 1e-13});
    const double n = u / (2 * centre_ohm);
    double theory = 0;
    for (std::size_t i = 0; i < found.xi.size(); ++i) {
      EXPECT_NEAR(found.separation[i] / n, hp_voltage_shape(found.xi[i], u), 1e-9) << u;
      theory = std::max(theory, std::abs(found.separation[i] / n - found.reference[i]));
    }
    expect_close(theory, row["dev_first_order_norm"], 1e-9, 1, "deviation with the normalisation of theory");
    expect_close(*found.shape.max_deviation, row["dev_after_lsq"], 1e-9, 1, "deviation after scaling");
    expect_close(*found.shape.rms_deviation, row["rms_rel_after_lsq"], 1e-9, 1, "rms");
    expect_close(found.shape.peak_xi_positive, row["peak_xi"], 1e-7, 0, "peak");
    expect_close(found.x_min, row["x_min"], 1e-9, 0, "x_min");
    expect_close(found.x_max, row["x_max"], 1e-9, 0, "x_max");
    EXPECT_LT(std::abs(found.drift_per_cycle), 1e-10);
  }
}

void compare(const ShapeDeviation& shape, const nlohmann::json& row, double tolerance, const std::string& what) {
  const auto near = [&](double got, const char* key, double scale) {
    expect_close(got, row[key], tolerance, scale, what + key);
  };
  const auto maybe = [&](const std::optional<double>& got, const char* key) {
    ASSERT_EQ(got.has_value(), !row[key].is_null()) << what << key;
    if (got) near(*got, key, 1);
  };
  near(shape.scale, "lsq_scale", std::max(std::abs(shape.lobe_scale_positive), std::abs(shape.lobe_scale_negative)));
  near(shape.lobe_scale_positive, "lobe_scale_pos", std::abs(shape.scale));
  near(shape.lobe_scale_negative, "lobe_scale_neg", std::abs(shape.scale));
  maybe(shape.max_deviation, "max_abs_dev_after_lsq");
  maybe(shape.lobe_deviation_positive, "max_dev_pos_lobe");
  maybe(shape.lobe_deviation_negative, "max_dev_neg_lobe");
  near(shape.non_oddness, "non_oddness", 1);
  near(shape.peak_xi_positive, "peak_xi_pos", 1);
  near(shape.peak_xi_negative, "peak_xi_neg", 1);
}

TEST(Branches, Windows) {
  for (const auto& row : stored()["windows"]) {
    std::string window = row["window"];  // "prodromakis p=1 j=1"
    std::string settings = "hp, window: " + window.substr(0, window.find(' '));
    if (const auto p = window.find("p="); p != std::string::npos) settings += ", p: " + window.substr(p + 2, 1);
    const auto model = make_memristor(settings);
    const double x0 = row["x_at_trough"], f_Hz = row["f_Hz"];
    const auto found = separate_branches(*model, {.frequency_Hz = f_Hz, .x_at_trough = x0});
    const std::string what = fmt::format("{} x {} f {}: ", settings, x0, f_Hz);
    compare(found.shape, row, 1e-4, what);
    expect_close(found.x_min, row["x_min"], 1e-4, 1, what + "x_min");
    expect_close(found.x_max, row["x_max"], 1e-4, 1, what + "x_max");
    expect_close(found.drift_per_cycle, row["net_drift_dx"], 1e-4, 1, what + "drift");
  }
}

TEST(Branches, SmallExcursionTheory) {
  const auto& all = stored()["small_excursion"];
  const auto ohmic = [](double xi) { return xi; };
  const auto check = [](const std::vector<double>& a, const nlohmann::json& row, double tolerance) {
    const ShapeDeviation shape = measure_shape(a);
    expect_close(*shape.max_deviation, row["max_abs_dev_after_lsq"], tolerance, 1, row.dump());
    expect_close(shape.peak_xi_positive, row["peak_xi_pos"], 10 * tolerance, 1, row.dump());
  };
  for (const auto& row : all["sinh kinetics f=sinh(v/v0)"]) {
    const double a = row["V/v0"];
    check(small_excursion_branches([=](double y) { return std::sinh(a * y); }, ohmic), row, 1e-7);
  }
  for (const auto& row : all["sinh kinetics and sinh conduction"]) {
    const double a = row["V/v0 kinetics"], b = row["V/Vc conduction"];
    check(small_excursion_branches([=](double y) { return std::sinh(a * y); },
                                   [=](double xi) { return std::sinh(b * xi) / b; }),
          row, 1e-7);
  }
  for (const auto& row : all["threshold kinetics f=(rho sin-1)_+^alpha"]) {
    const double rho = row["rho=V/Vth"], alpha = row["alpha"];
    check(small_excursion_branches([=](double y) { return std::pow(std::max(rho * y - 1, 0.0), alpha); }, ohmic), row,
          1e-7);
  }
  for (const auto& row : all["power kinetics f=sgn(v)|v|^alpha"]) {
    const double alpha = row["alpha"];
    // The stored integral is a trapezoidal one: less exact where the kinetics are steep at zero.
    check(small_excursion_branches([=](double y) { return std::pow(y, alpha); }, ohmic), row, alpha < 1 ? 1e-5 : 1e-7);
  }
}

/// Power kinetics have a closed form: half an incomplete beta function.
TEST(Branches, PowerKineticsAreAnIncompleteBetaFunction) {
  for (const double alpha : {1.0, 1.5, 2.0, 3.0, 5.0}) {
    const auto a = small_excursion_branches([=](double y) { return std::pow(y, alpha); }, [](double xi) { return xi; });
    for (std::size_t i = 0; i < a.size(); i += 10) {
      const double xi = std::sin(pi * (static_cast<double>(i) / 400 - 0.5));
      const double want = 0.5 * xi * boost::math::beta(0.5, (alpha + 1) / 2, 1 - xi * xi);
      EXPECT_NEAR(a[i], want, 1e-9) << alpha << ' ' << xi;
    }
  }
}

std::string settings_of(const std::string& model) {
  if (model.starts_with("VTEAM sym")) {
    return "vteam, r_on: 1 kohm, r_off: 100 kohm, k_on: -1e-4, k_off: 1e-4, a_on: 1, a_off: 1, v_on: -0.2 V, v_off: "
           "0.2 V";
  }
  if (model.starts_with("VTEAM")) return "vteam";
  if (model.starts_with("Yakopcic")) return "yakopcic";
  if (model.starts_with("Stanford")) return "stanford_pku";
  if (model.starts_with("Knowm")) return "knowm";
  return "chang";
}

/// A stored row of a full model, in the units of the model.
struct FullCase {
  std::string what;
  std::unique_ptr<MemristorModel> model;
  double unit, x0, v_V, f_Hz;
};
FullCase full_case(const nlohmann::json& row) {
  const std::string name = row["model"];
  // The vectors count VTEAM states from 0 to 1 and gaps in nm.
  const double unit = name.starts_with("VTEAM") ? 3e-9 : name.starts_with("Stanford") ? 1e-9 : 1;
  const double x0 = row["x_at_trough"], v_V = row["V"], f_Hz = row["f_Hz"];
  return {fmt::format("{} V {} f {} x {}: ", name, v_V, f_Hz, x0),
          make_memristor(settings_of(name)),
          unit,
          x0 * unit,
          v_V,
          f_Hz};
}

void compare_states(double x_min, double x_max, double drift, const FullCase& c, const nlohmann::json& row) {
  expect_close(drift / c.unit, row["net_drift_dx"], 1e-4, 1, c.what + "drift");
  expect_close(x_min / c.unit, row["x_min"], 1e-4, 1, c.what + "x_min");
  expect_close(x_max / c.unit, row["x_max"], 1e-4, 1, c.what + "x_max");
}

/// The stored vectors come from Runge-Kutta with 16000 steps a cycle: the same with the integrator for arrays.
TEST(Branches, FullModelsWithFixedSteps) {
  constexpr int segments = 800, steps = 20;
  for (const auto& row : stored()["models"]) {
    const FullCase c = full_case(row);
    std::vector<double> x(1, c.x0), path(1, c.x0);
    const double v[1] = {c.v_V}, t_s[1] = {1 / c.f_Hz / segments};
    for (int segment = 0; segment < segments; ++segment) {
      std::vector<double> shape;
      for (int i = 0; i <= 2 * steps; ++i) {
        shape.push_back(-std::cos(2 * pi * (segment + i / (2.0 * steps)) / segments));
      }
      c.model->advance({.amplitude_V = v, .duration_s = t_s, .shape = shape, .steps = steps}, x, {});
      path.push_back(x[0]);
    }
    std::vector<double> separation;
    for (std::size_t i = 0; i <= 400; ++i) {
      const double value = c.v_V * std::sin(pi * (static_cast<double>(i) - 200) / 400);
      separation.push_back(0.5 * (c.model->current_A(path[800 - i], value) - c.model->current_A(path[i], value)));
    }
    compare(measure_shape(separation), row, 1e-4, c.what);
    const auto [low, high] = std::minmax_element(path.begin(), path.end());
    compare_states(*low, *high, path.back() - path.front(), c, row);
  }
}

/// The same with every step controlled. At low frequency the Stanford-PKU device rides on the edge of its least field,
/// where fixed steps jump to and fro by a step: those rows are compared with the edge itself, below.
TEST(Branches, FullModelsWithControlledSteps) {
  std::set<std::string> seen;
  for (const auto& row : stored()["models"]) {
    const FullCase c = full_case(row);
    if (row["model"].get<std::string>().starts_with("Stanford") && c.v_V < 1.5 && c.f_Hz < 1e6) continue;
    const auto found = separate_branches(
        *c.model, {.amplitude = c.v_V, .frequency_Hz = c.f_Hz, .x_at_trough = c.x0, .tolerance = 1e-14});
    compare(found.shape, row, 1e-4, c.what);
    compare_states(found.x_min, found.x_max, found.drift_per_cycle, c, row);
    seen.insert(row["model"]);
  }
  EXPECT_EQ(seen.size(), 6u);
}

/// While the voltage grows slowly, the gap stands where the enhanced field is the least that moves it:
/// (gamma0 - beta gap^3) |v| / t_ox = f_min.
TEST(Branches, StanfordRidesOnItsLeastField) {
  const auto model = make_memristor("stanford_pku");
  const Drive ramp{DriveKind::voltage, [](double t_s) { return -1.1 - 10 * t_s; }};
  std::vector<double> t_s;
  for (int i = 0; i <= 10; ++i) t_s.push_back(1e-3 * i);
  const auto path = integrate_adaptively(*model, ramp, 0.6e-9, t_s);
  for (std::size_t i = 2; i < t_s.size(); ++i) {
    const double v = 1.1 + 10 * t_s[i], gap_nm = std::cbrt((16 - 1.4e9 * 12e-9 / v) / 0.8);
    EXPECT_NEAR(path.x[i], 1e-9 * gap_nm, 1e-17) << i;
  }
  EXPECT_LT(path.steps, 2000u);
}

TEST(Branches, TableHoldsEveryModelAndItsFormulas) {
  const auto rows = branch_table();
  const std::string text = branch_table_text(rows);
  for (const char* name : {"ideal", "HP, current", "HP, voltage", "joglekar", "biolek", "prodromakis", "VTEAM",
                           "Yakopcic", "Stanford-PKU", "Knowm", "Chang", "Pershin", "Data-driven"}) {
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
  for (const BranchRow& row : rows) {
    if (!row.closed_form) continue;
    EXPECT_LT(*row.closed_form, row.group == "HP, voltage" ? 1e-9 : 1e-12) << row.group << ": " << row.condition;
  }
}

}  // namespace
}  // namespace tellegen::devices
