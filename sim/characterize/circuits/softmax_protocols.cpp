// Softmax circuits: a row of inputs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tellegen/circuits/front_end/softmax_circuit.h"
#include "tellegen/circuits/front_end/softmax_rivals.h"
#include "tellegen/sim/characterize/circuits/measure.h"

namespace tellegen::characterize {
namespace {

using circuits::SoftmaxCircuit;
using Made = std::unique_ptr<SoftmaxCircuit>;

constexpr std::size_t inputs = 8;  ///< of the rows shown
constexpr std::size_t monte_carlo_circuits = 1000;

struct Bench {
  const Circuit& circuit;
  const CircuitRequest& request;

  Made make(const Overrides& settings, Temperature temperature) const {
    return read_single<circuits::SoftmaxConfig>("softmax", circuit.smallest_yaml, settings).config.make(temperature);
  }
  Made nominal() const { return make(request.settings, request.temperature); }
  Made biased(const std::string& bias) const { return make(with(request.settings, "bias", bias), request.temperature); }
};

/// The first input at z, the others at 0.
std::vector<double> raised(double z) {
  std::vector<double> row(inputs, 0.0);
  row[0] = z;
  return row;
}
double exact(double z) { return 1 / (1 + (inputs - 1) * std::exp(-z)); }

/// Largest |p - softmax| and |sum p - 1| over random rows.
struct RowError {
  double p = 0, sum = 0;
};
RowError row_error(const SoftmaxCircuit& circuit, std::size_t n, std::uint64_t seed) {
  constexpr std::size_t rows = 50;
  std::vector<float> draws(rows * n);
  Stream(seed, Purpose::test, {}).normals(0, draws);
  RowError worst;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> z(n);
    for (std::size_t k = 0; k < n; ++k) z[k] = 2 * static_cast<double>(draws[r * n + k]);
    const std::vector<double> p = circuit.row(z);
    const double top = *std::max_element(z.begin(), z.end());
    double norm = 0, sum = 0;
    for (const double one : z) norm += std::exp(one - top);
    for (std::size_t k = 0; k < n; ++k) {
      worst.p = std::max(worst.p, std::abs(p[k] - std::exp(z[k] - top) / norm));
      sum += p[k];
    }
    worst.sum = std::max(worst.sum, std::abs(sum - 1));
  }
  return worst;
}

plot::Axis z_axis() { return {"z_1, the other seven at 0", "", false, false}; }
plot::Axis p_axis() { return {"p_1", "", true}; }

void transfer(const Bench& bench, Characterization& result) {
  const Made circuit = bench.nominal();
  DataTable table{"transfer", {{"z", "1", {}}, {"circuit", "1", {}}, {"softmax", "1", {}}, {"sum", "1", {}}}};
  for (const double z : evenly(-16, 16, 257)) {
    const std::vector<double> p = circuit->row(raised(z));
    add_row(table, {z, p[0], exact(z), std::accumulate(p.begin(), p.end(), 0.0)});
  }
  const auto& c = table.columns;
  std::vector<double> error;
  for (std::size_t k = 0; k < c[0].values.size(); ++k) error.push_back(c[1].values[k] - c[2].values[k]);
  const RowError random = row_error(*circuit, inputs, bench.request.seed);
  result.findings.push_back(
      fmt::format("Random rows of {} inputs ~ N(0, 4): p within {:.3g} of the softmax, sum of p within "
                  "{:.3g} of 1; floor of p {:.3g}.",
                  inputs, random.p, random.sum, circuit->floor(inputs)));
  result.figure = {
      bench.circuit.name + ": transfer",
      {{"one input of eight",
        z_axis(),
        p_axis(),
        {{"circuit", c[0].values, c[1].values}, {"softmax", c[0].values, c[2].values, {}, plot::Style::dashed, 7}}},
       {"circuit - softmax", z_axis(), {"error in p_1", "", false, false}, {{"", c[0].values, error}}}}};
  result.tables.push_back(std::move(table));
}

void error(const Bench& bench, Characterization& result) {
  DataTable table{"error", {{"bias", "A", {}}, {"largest_error", "1", {}}, {"sum_error", "1", {}}}};
  for (const auto& [bias_A, made] :
       over_bias(1e-10, 1e-6, 13, [&](const std::string& bias) { return bench.biased(bias); })) {
    const RowError worst = row_error(*made, inputs, bench.request.seed);
    add_row(table, {bias_A, worst.p, std::max(worst.sum, 1e-16)});
  }
  DataTable by_size{"error_by_inputs", {{"inputs", "1", {}}, {"largest_error", "1", {}}, {"sum_error", "1", {}}}};
  const Made circuit = bench.nominal();
  for (std::size_t n = 2; n <= 512; n *= 2) {
    const RowError worst = row_error(*circuit, n, bench.request.seed);
    add_row(by_size, {static_cast<double>(n), worst.p, std::max(worst.sum, 1e-16)});
  }
  const auto& c = table.columns;
  const auto& s = by_size.columns;
  result.findings.push_back(fmt::format("From {} to {} of bias the largest error of p goes from {:.3g} to {:.3g}.",
                                        format_quantity(c[0].values.front(), Current::dimension),
                                        format_quantity(c[0].values.back(), Current::dimension), c[1].values.front(),
                                        c[1].values.back()));
  const auto both = [](const DataTable& from) {
    return std::vector<plot::Series>{
        {"largest |p - softmax|", from.columns[0].values, from.columns[1].values, {}, plot::Style::line_points},
        {"largest |sum p - 1|", from.columns[0].values, from.columns[2].values, {}, plot::Style::line_points}};
  };
  result.figure = {
      bench.circuit.name + ": error over random rows",
      {{"eight inputs", {"bias current (A)", "", true}, {"error", "", true}, both(table)},
       {"at the bias of the design", {"inputs", "", true}, {"error", "", true, true, 1e-6}, both(by_size)}}};
  result.findings.push_back(fmt::format("With {:g} inputs it is {:.3g}, and the sum of p is off by up to {:.3g}.",
                                        s[0].values.back(), s[1].values.back(), s[2].values.back()));
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(by_size));
}

void mismatch(const Bench& bench, Characterization& result) {
  const Made circuit = bench.nominal();
  std::vector<circuits::SoftmaxErrors> errors;
  for (std::size_t k = 0; k < monte_carlo_circuits; ++k) {
    const StreamPlace place{0, static_cast<std::uint32_t>(k), 0};
    errors.push_back(circuit->sample(Stream(bench.request.seed, Purpose::mismatch, place), inputs));
  }
  DataTable table{"mismatch",
                  {{"z", "1", {}},
                   {"nominal", "1", {}},
                   {"mean", "1", {}},
                   {"deviation", "1", {}},
                   {"low", "1", {}},
                   {"high", "1", {}},
                   {"sum_deviation", "1", {}}}};
  for (const double z : evenly(-8, 8, 65)) {
    const std::vector<double> row = raised(z);
    const std::vector<float> in(row.begin(), row.end());
    std::vector<float> first, sums, p(inputs);
    for (const circuits::SoftmaxErrors& one : errors) {
      circuit->evaluate(in, inputs, {}, one, nullptr, 0, p);
      first.push_back(p[0]);
      sums.push_back(std::accumulate(p.begin(), p.end(), 0.0f));
    }
    const Scatter scatter = scatter_of(first);
    add_row(table, {z, circuit->row(row)[0], scatter.mean, scatter.deviation, scatter.low, scatter.high,
                    scatter_of(sums).deviation});
  }
  for (const auto* planes : {&circuit->output_planes(), &circuit->cell_planes()}) {
    for (const circuits::ErrorPlane& plane : *planes) {
      result.findings.push_back(fmt::format("{}{}: standard deviation {:.3g}{}.",
                                            planes == &circuit->cell_planes() ? "cell, " : "output, ", plane.name,
                                            plane.deviation, plane.unit.empty() ? "" : " in z"));
    }
  }
  const auto& c = table.columns;
  result.findings.push_back(
      fmt::format("Over {} circuits of {} inputs p_1 scatters by up to {:.3g} and the sum of p by up to {:.3g}.",
                  monte_carlo_circuits, inputs, *std::max_element(c[3].values.begin(), c[3].values.end()),
                  *std::max_element(c[6].values.begin(), c[6].values.end())));
  plot::Series band{"95 % of circuits", c[0].values, c[4].values, c[5].values, plot::Style::band, 0};
  result.figure = {
      fmt::format("{}: mismatch of {} circuits", bench.circuit.name, monte_carlo_circuits),
      {{"one input of eight", z_axis(), {"p_1", "", false, false}, {band, {"nominal", c[0].values, c[1].values}}},
       {"scatter",
        z_axis(),
        {"standard deviation", "", false, false, 0.0},
        {{"p_1", c[0].values, c[3].values}, {"sum of p", c[0].values, c[6].values}}}}};
  result.tables.push_back(std::move(table));
}

void noise(const Bench& bench, Characterization& result) {
  const Made circuit = bench.nominal();
  DataTable table{"noise", {{"z", "1", {}}, {"p", "1", {}}, {"deviation", "1", {}}}};
  for (const double z : evenly(-12, 12, 97)) {
    add_row(table, {z, circuit->row(raised(z))[0], circuit->output_noise(raised(z))[0]});
  }
  DataTable over{"noise_over_bias", {{"bias", "A", {}}, {"deviation", "1", {}}, {"bandwidth", "Hz", {}}}};
  for (const auto& [bias_A, made] :
       over_bias(1e-10, 1e-6, 13, [&](const std::string& bias) { return bench.biased(bias); })) {
    add_row(over, {bias_A, made->output_noise(raised(0))[0], made->cost(inputs).bandwidth_Hz});
  }
  const auto& c = table.columns;
  const auto& o = over.columns;
  result.findings.push_back(
      fmt::format("At equal inputs p = 1/{} has noise of {:.3g} over the circuit's own band; at most {:.3g}.", inputs,
                  circuit->output_noise(raised(0))[0], *std::max_element(c[2].values.begin(), c[2].values.end())));
  result.figure = {
      bench.circuit.name + ": noise",
      {{"one input of eight", z_axis(), {"standard deviation of p_1", "", true}, {{"", c[0].values, c[2].values}}},
       {"equal inputs",
        {"bias current (A)", "", true},
        {"standard deviation of p_1", "", false, false, 0.0},
        {{"", o[0].values, o[1].values, {}, plot::Style::line_points}}}}};
  result.tables.push_back(std::move(table));
  result.tables.push_back(std::move(over));
}

/// Prices of digital units at 28 nm, where two of the three were synthesised, as tables and curves over n.
void add_rivals(const Bench& bench, const std::vector<double>& n, DataTable& table, plot::Panel& panel,
                Characterization& result) {
  if (bench.request.costs.empty()) return;
  for (const circuits::SoftmaxRival& rival : circuits::digital_softmax(bench.request.costs, Length::si(28e-9))) {
    std::vector<double> energy;
    for (const double count : n) energy.push_back(count * rival.element.energy_J.typical);
    result.findings.push_back(
        fmt::format("Digital rival '{}' at 28 nm, {}: {} per element, area {}; converters not counted.", rival.set,
                    rival.element.from.source, text_of(rival.element.energy_J, Energy::dimension),
                    text_of(rival.element.area_m2, Area::dimension)));
    panel.series.push_back({"digital, " + rival.set, n, energy, {}, plot::Style::dashed});
    table.columns.push_back({"digital_" + rival.set, "J", std::move(energy)});
  }
}

void energy(const Bench& bench, Characterization& result) {
  const Made circuit = bench.nominal();
  DataTable table{"energy",
                  {{"inputs", "1", {}},
                   {"settling", "s", {}},
                   {"energy_low", "J", {}},
                   {"energy", "J", {}},
                   {"energy_high", "J", {}},
                   {"area", "m2", {}}}};
  for (std::size_t n = 2; n <= 1024; n *= 2) {
    const circuits::FrontEndCost cost = circuit->cost(n);
    add_row(table, {static_cast<double>(n), cost.evaluation_s, cost.energy_J.low, cost.energy_J.typical,
                    cost.energy_J.high, cost.area_m2.typical});
  }
  describe_cost(circuit->cost(inputs), result);
  describe_book(circuit->energy(raised(0), raised(2), circuit->cost(inputs).evaluation_s), result);
  const std::vector<double> n = table.columns[0].values;
  const auto& c = table.columns;
  plot::Series band{"low to high", n, c[2].values, c[4].values, plot::Style::band, 0};
  plot::Panel rows{"one row",
                   {"inputs", "", true},
                   {"energy (J)", "", true},
                   {band, {"this circuit", n, c[3].values, {}, plot::Style::line_points, 0}}};
  const plot::Panel time{
      "settling", {"inputs", "", true}, {"time (s)", "", true}, {{"", n, c[1].values, {}, plot::Style::line_points}}};
  add_rivals(bench, n, table, rows, result);
  result.figure = {bench.circuit.name + ": energy and time of a row", {rows, time}};
  result.tables.push_back(std::move(table));
}

void temperature(const Bench& bench, Characterization& result) {
  DataTable table{"temperature", {{"temperature", "K", {}}, {"z", "1", {}}, {"circuit", "1", {}}, {"error", "1", {}}}};
  std::vector<plot::Series> curves, errors;
  for (const double t_C : temperatures_C) {
    const Made circuit = bench.make(bench.request.settings, at_celsius(t_C));
    const std::string name = fmt::format("{:g} C", t_C);
    plot::Series curve{name}, error{name};
    for (const double z : evenly(-8, 8, 129)) {
      const double p = circuit->row(raised(z))[0];
      curve.x.push_back(z);
      curve.y.push_back(p);
      error.x.push_back(z);
      error.y.push_back(p - exact(z));
      add_row(table, {t_C + 273.15, z, p, p - exact(z)});
    }
    const RowError worst = row_error(*circuit, inputs, bench.request.seed);
    result.findings.push_back(fmt::format("At {}: p within {:.3g} of the softmax over random rows.", name, worst.p));
    curves.push_back(std::move(curve));
    errors.push_back(std::move(error));
  }
  result.figure = {bench.circuit.name + ": temperature",
                   {{"one input of eight", z_axis(), {"p_1", "", false, false}, curves},
                    {"circuit - softmax", z_axis(), {"error in p_1", "", false, false}, errors}}};
  result.tables.push_back(std::move(table));
}

}  // namespace

void softmax_protocol(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request,
                      Characterization& result) {
  const Bench bench{circuit, request};
  result.settings =
      write_config(read_single<circuits::SoftmaxConfig>("softmax", circuit.smallest_yaml, request.settings));
  if (protocol == "transfer") transfer(bench, result);
  if (protocol == "error") error(bench, result);
  if (protocol == "mismatch") mismatch(bench, result);
  if (protocol == "noise") noise(bench, result);
  if (protocol == "energy") energy(bench, result);
  if (protocol == "temperature") temperature(bench, result);
}

}  // namespace tellegen::characterize
