#include "tellegen/devices/memristor/branch_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "tellegen/base/table.h"

namespace tellegen::devices {
namespace {

constexpr double pi = std::numbers::pi;
using Rows = std::vector<BranchRow>;

double root(double xi) { return std::sqrt(std::max(0.0, (1 - xi) * (1 + xi))); }

/// max |A / N - formula(xi)|.
double distance(const BranchSeparation& found, double n, const std::function<double(double)>& formula) {
  double worst = 0;
  for (std::size_t i = 0; i < found.xi.size(); ++i) {
    worst = std::max(worst, std::abs(found.separation[i] / n - formula(found.xi[i])));
  }
  return worst;
}

void ideal_rows(Rows& rows) {
  struct Case {
    const char* condition;
    double w2, w3;
  };
  constexpr double w1 = 2e-4, f_Hz = 10;
  for (const Case c : {Case{"W linear", 0, 0}, {"W with quadratic term", 5e-3, 0}, {"W with cubic term", 0, 0.2}}) {
    const auto model =
        make_memristor(fmt::format("flux_controlled, flux_max: 0.05, w1: {}, w2: {}, w3: {}", w1, c.w2, c.w3));
    const auto found = separate_branches(*model, {.frequency_Hz = f_Hz, .x_at_trough = 0, .tolerance = 1e-14});
    const double flux_Vs = 1 / (2 * pi * f_Hz), r = c.w3 * flux_Vs * flux_Vs / w1;
    rows.push_back(
        {"ideal, voltage", c.condition, found.shape, found.drift_per_cycle / 0.1,
         distance(found, w1 * flux_Vs, [&](double xi) { return xi * root(xi) * (1 + r * root(xi) * root(xi)); })});
  }
  const auto model = make_memristor("flux_controlled, flux_max: 0.05");
  const auto found = separate_branches(
      *model, {.waveform = Waveform::triangle, .frequency_Hz = f_Hz, .x_at_trough = 0, .tolerance = 1e-14});
  rows.push_back({"ideal, voltage", "triangular drive: xi (1 - xi^2)", found.shape, found.drift_per_cycle / 0.1,
                  distance(found, w1 / (8 * f_Hz), [](double xi) { return xi * (1 - xi * xi); })});
}

constexpr double on_ohm = 100, off_ohm = 16e3, drift_per_C = 1e4, centre_ohm = 8e3;
constexpr double centre_x = (off_ohm - centre_ohm) / (off_ohm - on_ohm);

void hp_rows(Rows& rows) {
  const auto model = make_memristor("hp");
  for (const double share : {0.05, 0.3, 0.6, 0.9, 0.999}) {
    constexpr double amplitude_A = 1e-4;
    const double charge_C = share * std::min(centre_x, 1 - centre_x) / drift_per_C;
    const auto found = separate_branches(*model, {.kind = DriveKind::current,
                                                  .amplitude = amplitude_A,
                                                  .frequency_Hz = amplitude_A / (2 * pi * charge_C),
                                                  .x_at_trough = centre_x,
                                                  .tolerance = 1e-14});
    const double n = -(off_ohm - on_ohm) * drift_per_C * charge_C * amplitude_A;
    rows.push_back({"HP, current", fmt::format("excursion {:.3g} % of the range", 100 * share), found.shape,
                    found.drift_per_cycle, distance(found, n, [](double xi) { return xi * root(xi); })});
  }
  for (const double u : {0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9}) {
    const double flux_Vs = u * centre_ohm * centre_ohm / (2 * (off_ohm - on_ohm) * drift_per_C);
    const auto found = separate_branches(
        *model, {.frequency_Hz = 1 / (2 * pi * flux_Vs), .x_at_trough = centre_x, .tolerance = 1e-13});
    rows.push_back({"HP, voltage", fmt::format("u = {} ({:.3g} Hz)", u, 1 / (2 * pi * flux_Vs)), found.shape,
                    found.drift_per_cycle,
                    distance(found, u / (2 * centre_ohm), [&](double xi) { return hp_voltage_shape(xi, u); })});
  }
}

void add(Rows& rows, const std::string& group, const std::string& settings, const BranchDrive& drive) {
  const auto model = make_memristor(settings);
  const auto found = separate_branches(*model, drive);
  rows.push_back(
      {group,
       fmt::format("{:.3g} V, {:.3g} Hz, start {:.3g}", drive.amplitude, drive.frequency_Hz, drive.x_at_trough),
       found.shape,
       found.drift_per_cycle / model->state().width(),
       {}});
}

void window_rows(Rows& rows) {
  for (const char* window : {"none", "joglekar, p: 1", "joglekar, p: 7", "prodromakis, p: 1", "prodromakis, p: 7"}) {
    add(rows, fmt::format("HP, window {}", window), fmt::format("hp, window: {}", window), {.frequency_Hz = 5});
  }
  for (const double x : {0.3, 0.5}) {
    for (const double f_Hz : {5.0, 200.0}) {
      add(rows, "HP, window biolek, p: 1", "hp, window: biolek, p: 1", {.frequency_Hz = f_Hz, .x_at_trough = x});
    }
  }
}

void theory_rows(Rows& rows) {
  using Function = std::function<double(double)>;
  const auto ohmic = [](double xi) { return xi; };
  const auto theory = [&](const std::string& condition, const Function& kinetics, const Function& conduction) {
    rows.push_back(
        {"small excursion", condition, measure_shape(small_excursion_branches(kinetics, conduction)), {}, {}});
  };
  for (const double a : {0.5, 1.0, 2.0, 3.0, 5.0, 10.0}) {
    theory(
        fmt::format("sinh(v / v0) kinetics, V / v0 = {}", a), [=](double y) { return std::sinh(a * y); }, ohmic);
  }
  for (const double a : {2.0, 3.0, 5.0}) {
    theory(
        fmt::format("|v|^{} kinetics", a), [=](double y) { return std::pow(y, a); }, ohmic);
  }
  for (const double a : {1.1, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0}) {
    theory(
        fmt::format("threshold kinetics, V / Vth = {}", a), [=](double y) { return std::max(a * y - 1, 0.0); }, ohmic);
  }
  for (const double b : {0.5, 1.0, 2.0}) {
    theory(
        fmt::format("sinh conduction, V / Vc = {}", b), [](double y) { return std::sinh(0.1 * y); },
        [=](double xi) { return std::sinh(b * xi) / b; });
  }
}

void model_rows(Rows& rows) {
  const std::string symmetric =
      "vteam, r_on: 1 kohm, r_off: 100 kohm, k_on: -1e-4, k_off: 1e-4, a_on: 1, a_off: 1, v_on: -0.2 V, v_off: 0.2 V";
  for (const double v : {0.25, 0.4, 1.0, 4.0}) {
    add(rows, "VTEAM, symmetric", symmetric, {.amplitude = v, .frequency_Hz = 1e7, .x_at_trough = 1.5e-9});
  }
  for (const double f_Hz : {1e8, 1e10}) {
    add(rows, "VTEAM, published", "vteam", {.amplitude = 0.5, .frequency_Hz = f_Hz, .x_at_trough = 1.5e-9});
  }
  for (const double f_Hz : {1e2, 1e4, 1e6}) {
    add(rows, "Yakopcic, Oblea", "yakopcic", {.amplitude = 0.45, .frequency_Hz = f_Hz, .x_at_trough = 0.11});
  }
  for (const double f_Hz : {1e5, 1e9}) {
    add(rows, "Stanford-PKU", "stanford_pku", {.amplitude = 1.2, .frequency_Hz = f_Hz, .x_at_trough = 0.6e-9});
  }
  for (const double v : {0.2, 0.4, 1.0}) add(rows, "Knowm", "knowm", {.amplitude = v, .frequency_Hz = 1e6});
  for (const double v : {0.1, 0.5, 1.2}) {
    add(rows, "Chang / UMich", "chang", {.amplitude = v, .frequency_Hz = 100, .x_at_trough = 0.3});
  }
  add(rows, "Pershin and Di Ventra", "pershin", {.amplitude = 3, .frequency_Hz = 1e9, .x_at_trough = 5e3});
  add(rows, "Data-driven, 2021", "data_driven", {.amplitude = 1.5, .frequency_Hz = 1e6, .x_at_trough = 2300});
}

std::string small(const std::optional<double>& value) { return value ? fmt::format("{:.2g}", *value) : "-"; }

}  // namespace

double hp_voltage_shape(double xi, double u) {
  const double us = u * root(xi);
  return xi / u * (1 / std::sqrt(1 - us) - 1 / std::sqrt(1 + us));
}

std::vector<BranchRow> branch_table() {
  Rows rows;
  ideal_rows(rows);
  hp_rows(rows);
  window_rows(rows);
  theory_rows(rows);
  model_rows(rows);
  return rows;
}

std::string branch_table_text(const std::vector<BranchRow>& rows) {
  using Align = Table::Align;
  Table table({{"model", Align::left},
               {"condition", Align::left},
               {"max dev"},
               {"lobe +"},
               {"lobe -"},
               {"peak xi"},
               {"peak g"},
               {"not odd"},
               {"drift"},
               {"from formula"}});
  for (const BranchRow& row : rows) {
    const ShapeDeviation& s = row.shape;
    table.row({row.group, row.condition, small(s.max_deviation), small(s.lobe_deviation_positive),
               small(s.lobe_deviation_negative), fmt::format("{:.4f}", s.peak_xi_positive),
               fmt::format("{:.4f}", s.peak_g), small(s.non_oddness), small(row.drift), small(row.closed_form)});
  }
  return table.text();
}

}  // namespace tellegen::devices
