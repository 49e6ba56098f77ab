// Elementwise front-ends: one unit of a gate.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/sim/characterize/circuits/measure.h"

namespace tellegen::characterize {
namespace {

using circuits::FrontEnd;
using Made = std::unique_ptr<FrontEnd>;

constexpr std::size_t points = 321;
constexpr std::int64_t monte_carlo_units = 10000;

/// The circuit under measurement, and how to make it again under other conditions.
struct Bench {
  const Circuit& circuit;
  const CircuitRequest& request;
  circuits::GateFunction gate;

  Made make(const Overrides& settings, Temperature temperature) const {
    return read_single<circuits::FrontEndConfig>("front_end", circuit.smallest_yaml, settings)
        .config.make(gate, temperature);
  }
  Made nominal() const { return make(request.settings, request.temperature); }
  Made biased(const std::string& bias) const { return make(with(request.settings, "bias", bias), request.temperature); }
};

/// |x| within the limits, and where something happens.
std::vector<double> grid_of(const FrontEnd& front_end) {
  const auto limits = front_end.limits();
  return evenly(std::max(limits.x_low, -8.0), std::min(limits.x_high, 8.0), points);
}

double largest_error(const FrontEnd& front_end) {
  double worst = 0;
  for (const double x : grid_of(front_end)) {
    worst = std::max(worst, std::abs(front_end.transfer(x) - front_end.gate()(x)));
  }
  return worst;
}

plot::Series curve(const std::string& name, const std::vector<double>& x, const std::function<double(double)>& f) {
  plot::Series series{name, x};
  for (const double at : x) series.y.push_back(f(at));
  return series;
}

void transfer(const Bench& bench, Characterization& result) {
  const Made front_end = bench.nominal();
  const std::vector<double> x = grid_of(*front_end);
  const auto circuit = curve("circuit", x, [&](double at) { return front_end->transfer(at); });
  auto ideal = curve("gate", x, [&](double at) { return front_end->gate()(at); });
  auto error = curve("", x, [&](double at) { return front_end->transfer(at) - front_end->gate()(at); });
  result.tables.push_back(
      {"transfer", {{"x", "1", x}, {"circuit", "1", circuit.y}, {"gate", "1", ideal.y}, {"error", "1", error.y}}});
  result.findings.push_back(
      fmt::format("The circuit is within {:.3g} of its gate for |x| up to {:.3g}; tables add at most {:.1e}.",
                  largest_error(*front_end), x.back(), front_end->table_error()));
  ideal.style = plot::Style::dashed;
  ideal.colour = 7;
  result.figure = {bench.circuit.name + ": transfer",
                   {{"output", {"x", "", false, false}, {"y", "", false, false}, {circuit, ideal}},
                    {"circuit - gate", {"x", "", false, false}, {"error in y", "", false, false}, {error}}}};
}

void error(const Bench& bench, Characterization& result) {
  DataTable table{"error", {{"bias", "A", {}}, {"largest_error", "1", {}}}};
  plot::Series series{""};
  std::vector<plot::Series> curves;
  const auto made = over_bias(1e-10, 1e-6, 17, [&](const std::string& bias) { return bench.biased(bias); });
  for (std::size_t k = 0; k < made.size(); ++k) {
    const FrontEnd& front_end = *made[k].made;
    add_row(table, {made[k].bias_A, std::max(1e-16, largest_error(front_end))});
    if (k % 4 == 0) {
      curves.push_back(curve(format_quantity(made[k].bias_A, Current::dimension), grid_of(front_end),
                             [&](double x) { return front_end.transfer(x) - front_end.gate()(x); }));
    }
  }
  series.x = table.columns[0].values;
  series.y = table.columns[1].values;
  series.style = plot::Style::line_points;
  result.findings.push_back(fmt::format(
      "From {} to {} of bias the largest error goes from {:.3g} to {:.3g}{}.",
      format_quantity(series.x.front(), Current::dimension), format_quantity(series.x.back(), Current::dimension),
      series.y.front(), series.y.back(), series.y.back() > series.y.front() ? ": inversion softens the gate" : ""));
  result.figure = {bench.circuit.name + ": error against the gate",
                   {{"at several bias currents", {"x", "", false, false}, {"circuit - gate", "", false, false}, curves},
                    {"largest", {"bias current (A)", "", true}, {"largest error", "", true}, {series}}}};
  result.tables.push_back(std::move(table));
}

void mismatch(const Bench& bench, Characterization& result) {
  const Made front_end = bench.nominal();
  const auto units = static_cast<std::size_t>(monte_carlo_units);
  const circuits::UnitErrors errors =
      front_end->sample(Stream(bench.request.seed, Purpose::mismatch, {}), 0, monte_carlo_units);
  DataTable table{"mismatch",
                  {{"x", "1", {}},
                   {"nominal", "1", {}},
                   {"mean", "1", {}},
                   {"deviation", "1", {}},
                   {"low", "1", {}},
                   {"high", "1", {}}}};
  std::vector<float> x(units), y(units);
  double weighted = 0, weights = 0;
  const auto limits = front_end->limits();
  for (const double at : evenly(std::max(-6.0, limits.x_low), std::min(6.0, limits.x_high), 97)) {
    std::fill(x.begin(), x.end(), static_cast<float>(at));
    front_end->evaluate(x, errors, nullptr, 0, y);
    const Scatter scatter = scatter_of(y);
    add_row(table, {at, front_end->transfer(at), scatter.mean, scatter.deviation, scatter.low, scatter.high});
    const double weight = std::exp(-0.5 * at * at);
    weighted += weight * scatter.deviation * scatter.deviation;
    weights += weight;
  }
  for (const circuits::ErrorPlane& plane : front_end->error_planes()) {
    result.findings.push_back(fmt::format("{}: standard deviation {:.3g}{} as manufactured.", plane.name,
                                          plane.deviation, plane.unit.empty() ? "" : " in " + plane.unit));
  }
  result.findings.push_back(
      fmt::format("Over {} units, trimmed as the design says, y scatters by {:.3g} for x ~ N(0, 1).", monte_carlo_units,
                  std::sqrt(weighted / weights)));
  const auto& c = table.columns;
  plot::Series band{"95 % of units", c[0].values, c[4].values, c[5].values, plot::Style::band, 0};
  result.figure = {
      fmt::format("{}: mismatch of {} units", bench.circuit.name, monte_carlo_units),
      {{"output", {"x", "", false, false}, {"y", "", false, false}, {band, {"nominal", c[0].values, c[1].values}}},
       {"scatter",
        {"x", "", false, false},
        {"standard deviation of y", "", false, false, 0.0},
        {{"", c[0].values, c[3].values}}}}};
  result.tables.push_back(std::move(table));
}

void noise(const Bench& bench, Characterization& result) {
  const Made front_end = bench.nominal();
  const std::vector<double> x = grid_of(*front_end);
  const auto sigma = curve("", x, [&](double at) { return front_end->output_noise(at); });
  result.tables.push_back({"noise", {{"x", "1", x}, {"deviation", "1", sigma.y}}});
  DataTable table{"noise_over_bias",
                  {{"bias", "A", {}},
                   {"bandwidth", "Hz", {}},
                   {"white", "1", {}},
                   {"flicker", "1", {}},
                   {"reference", "1", {}},
                   {"total", "1", {}}}};
  for (const auto& [bias_A, made] :
       over_bias(1e-10, 1e-6, 17, [&](const std::string& bias) { return bench.biased(bias); })) {
    const circuits::FrontEndNoise& n = made->noise();
    add_row(table, {bias_A, n.bandwidth_Hz, n.white_x, n.flicker_x, n.reference_x, n.total_x()});
  }
  const circuits::FrontEndNoise& n = front_end->noise();
  result.findings.push_back(
      fmt::format("At the output: at most {:.3g} in y.", *std::max_element(sigma.y.begin(), sigma.y.end())));
  result.findings.push_back(fmt::format(
      "Referred to the input: {:.3g} in x (white {:.3g}, flicker {:.3g}, reference {:.3g}) over {}.", n.total_x(),
      n.white_x, n.flicker_x, n.reference_x, format_quantity(n.bandwidth_Hz, Frequency::dimension)));
  const auto& c = table.columns;
  result.figure = {
      bench.circuit.name + ": noise",
      {{"at the output", {"x", "", false, false}, {"standard deviation of y", "", false, false, 0.0}, {sigma}},
       {"at the input",
        {"bias current (A)", "", true},
        {"standard deviation of x", "", false, false, 0.0},
        {{"total", c[0].values, c[5].values},
         {"white", c[0].values, c[2].values, {}, plot::Style::dashed},
         {"flicker", c[0].values, c[3].values, {}, plot::Style::dashed},
         {"reference", c[0].values, c[4].values, {}, plot::Style::dashed}}}}};
  result.tables.push_back(std::move(table));
}

void energy(const Bench& bench, Characterization& result) {
  DataTable table{"energy",
                  {{"bias", "A", {}},
                   {"bandwidth", "Hz", {}},
                   {"settling", "s", {}},
                   {"energy_low", "J", {}},
                   {"energy", "J", {}},
                   {"energy_high", "J", {}},
                   {"power", "W", {}},
                   {"area", "m2", {}}}};
  for (const auto& [bias_A, made] :
       over_bias(1e-10, 1e-6, 17, [&](const std::string& bias) { return bench.biased(bias); })) {
    const circuits::FrontEndCost& cost = made->cost();
    add_row(table, {bias_A, cost.bandwidth_Hz, cost.settling_s.typical, cost.energy_J.low, cost.energy_J.typical,
                    cost.energy_J.high, cost.power_W.typical, cost.area_m2.typical});
  }
  const Made front_end = bench.nominal();
  describe_cost(front_end->cost(), result);
  describe_book(front_end->energy(0, 1, front_end->cost().evaluation_s), result);
  result.figure = energy_figure(bench.circuit.name, table);
  result.tables.push_back(std::move(table));
}

void temperature(const Bench& bench, Characterization& result) {
  DataTable table{"temperature", {{"temperature", "K", {}}, {"x", "1", {}}, {"circuit", "1", {}}, {"error", "1", {}}}};
  std::vector<plot::Series> curves, errors;
  for (const double t_C : temperatures_C) {
    const Made front_end = bench.make(bench.request.settings, at_celsius(t_C));
    const std::vector<double> x = grid_of(*front_end);
    const std::string name = fmt::format("{:g} C", t_C);
    curves.push_back(curve(name, x, [&](double at) { return front_end->transfer(at); }));
    errors.push_back(curve(name, x, [&](double at) { return front_end->transfer(at) - front_end->gate()(at); }));
    for (std::size_t k = 0; k < x.size(); ++k) {
      add_row(table, {t_C + 273.15, x[k], curves.back().y[k], errors.back().y[k]});
    }
    result.findings.push_back(fmt::format("At {}: within {:.3g} of the gate.", name, largest_error(*front_end)));
  }
  result.figure = {bench.circuit.name + ": temperature",
                   {{"output", {"x", "", false, false}, {"y", "", false, false}, curves},
                    {"circuit - gate", {"x", "", false, false}, {"error in y", "", false, false}, errors}}};
  result.tables.push_back(std::move(table));
}

}  // namespace

void front_end_protocol(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request,
                        Characterization& result) {
  const Bench bench{circuit, request, circuits::find_front_end(circuit.name).example};
  result.settings =
      write_config(read_single<circuits::FrontEndConfig>("front_end", circuit.smallest_yaml, request.settings));
  if (protocol == "transfer") transfer(bench, result);
  if (protocol == "error") error(bench, result);
  if (protocol == "mismatch") mismatch(bench, result);
  if (protocol == "noise") noise(bench, result);
  if (protocol == "energy") energy(bench, result);
  if (protocol == "temperature") temperature(bench, result);
}

}  // namespace tellegen::characterize
