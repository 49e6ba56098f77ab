// Crossings: one value from one analog circuit to the next.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/sim/characterize/circuits/measure.h"

namespace tellegen::characterize {
namespace {

using circuits::Crossing;
using Made = std::unique_ptr<Crossing>;

constexpr std::size_t monte_carlo_circuits = 10000;

struct Bench {
  const Circuit& circuit;
  const CircuitRequest& request;

  Made make(const Overrides& settings, Temperature temperature) const {
    return read_single<circuits::CrossingConfig>("crossing", circuit.smallest_yaml, settings).config.make(temperature);
  }
  Made nominal() const { return make(request.settings, request.temperature); }
  Made biased(const std::string& bias) const { return make(with(request.settings, "bias", bias), request.temperature); }
  auto over() const {
    return over_bias(1e-8, 1e-4, 17, [this](const std::string& bias) { return biased(bias); });
  }
};

std::vector<double> inputs_of(const Crossing& crossing) {
  return evenly(-crossing.full_scale(), crossing.full_scale(), 201);
}
double output_scale(const Crossing& crossing) { return std::abs(crossing.ideal(crossing.full_scale())); }
std::string in_unit(double value, const char* unit) {
  return format_quantity(value, std::string(unit) == "A" ? Current::dimension : Voltage::dimension);
}

void describe_errors(const Crossing& crossing, Characterization& result) {
  const circuits::CrossingErrors& e = crossing.errors();
  result.findings.push_back(fmt::format(
      "Gain is off by {:.3g} and scatters by {:.3g}; offset {}, scattering by {}; noise {} over {}.", e.gain_error,
      e.gain_deviation, in_unit(e.offset, crossing.output_unit()), in_unit(e.offset_deviation, crossing.output_unit()),
      in_unit(e.noise, crossing.output_unit()), format_quantity(e.bandwidth_Hz, Frequency::dimension)));
}

/// Output and what is wrong with it, as a share of full scale.
void transfer(const Bench& bench, Characterization& result) {
  const Made crossing = bench.nominal();
  DataTable table{"transfer",
                  {{"input", crossing->input_unit(), {}},
                   {"circuit", crossing->output_unit(), {}},
                   {"ideal", crossing->output_unit(), {}},
                   {"error", "1", {}}}};
  for (const double input : inputs_of(*crossing)) {
    const double got = crossing->transfer(input), ideal = crossing->ideal(input);
    add_row(table, {input, got, ideal, (got - ideal) / output_scale(*crossing)});
  }
  describe_errors(*crossing, result);
  const auto& c = table.columns;
  result.figure = {
      bench.circuit.name + ": transfer",
      {{"output",
        {"input", c[0].unit},
        {"output", c[1].unit},
        {{"circuit", c[0].values, c[1].values}, {"ideal", c[0].values, c[2].values, {}, plot::Style::dashed, 7}}},
       {"circuit - ideal",
        {"input", c[0].unit},
        {"share of full scale", "", false, false},
        {{"", c[0].values, c[3].values}}}}};
  result.tables.push_back(std::move(table));
}

void error(const Bench& bench, Characterization& result) {
  DataTable table{
      "error",
      {{"bias", "A", {}}, {"largest_error", "1", {}}, {"gain_deviation", "1", {}}, {"offset_deviation", "1", {}}}};
  for (const auto& [bias_A, made] : bench.over()) {
    double worst = 0;
    for (const double input : inputs_of(*made)) {
      worst = std::max(worst, std::abs(made->transfer(input) - made->ideal(input)));
    }
    const double scale = output_scale(*made);
    add_row(table, {bias_A, worst / scale, made->errors().gain_deviation, made->errors().offset_deviation / scale});
  }
  describe_errors(*bench.nominal(), result);
  const auto& c = table.columns;
  result.figure = {bench.circuit.name + ": errors over bias",
                   {{"systematic",
                     {"bias current (A)", "", true},
                     {"largest error, share of full scale", "", false, false, 0.0},
                     {{"", c[0].values, c[1].values, {}, plot::Style::line_points}}},
                    {"random",
                     {"bias current (A)", "", true},
                     {"standard deviation", "", false, false, 0.0},
                     {{"gain", c[0].values, c[2].values, {}, plot::Style::line_points},
                      {"offset, share of full scale", c[0].values, c[3].values, {}, plot::Style::line_points}}}}};
  result.tables.push_back(std::move(table));
}

void mismatch(const Bench& bench, Characterization& result) {
  const Made crossing = bench.nominal();
  const circuits::CrossingErrors& e = crossing->errors();
  std::vector<float> gain(monte_carlo_circuits), offset(monte_carlo_circuits);
  const Stream stream(bench.request.seed, Purpose::mismatch, {});
  stream.normals(0, gain);
  stream.normals(monte_carlo_circuits, offset);
  DataTable table{"mismatch",
                  {{"input", crossing->input_unit(), {}},
                   {"mean", "1", {}},
                   {"deviation", "1", {}},
                   {"low", "1", {}},
                   {"high", "1", {}}}};
  const double scale = output_scale(*crossing);
  std::vector<float> wrong(monte_carlo_circuits);
  for (const double input : evenly(-crossing->full_scale(), crossing->full_scale(), 41)) {
    const double nominal = crossing->transfer(input), ideal = crossing->ideal(input);
    for (std::size_t k = 0; k < monte_carlo_circuits; ++k) {
      const double got = nominal + ideal * e.gain_deviation * static_cast<double>(gain[k]) +
                         e.offset_deviation * static_cast<double>(offset[k]);
      wrong[k] = static_cast<float>((got - ideal) / scale);
    }
    const Scatter scatter = scatter_of(wrong);
    add_row(table, {input, scatter.mean, scatter.deviation, scatter.low, scatter.high});
  }
  describe_errors(*crossing, result);
  const auto& c = table.columns;
  plot::Series band{"95 % of circuits", c[0].values, c[3].values, c[4].values, plot::Style::band, 0};
  result.figure = {fmt::format("{}: mismatch of {} circuits", bench.circuit.name, monte_carlo_circuits),
                   {{"circuit - ideal",
                     {"input", c[0].unit},
                     {"share of full scale", "", false, false},
                     {band, {"mean", c[0].values, c[1].values}}}}};
  result.tables.push_back(std::move(table));
}

void noise(const Bench& bench, Characterization& result) {
  const Made nominal = bench.nominal();
  DataTable table{
      "noise", {{"bias", "A", {}}, {"noise", nominal->output_unit(), {}}, {"share", "1", {}}, {"bandwidth", "Hz", {}}}};
  for (const auto& [bias_A, made] : bench.over()) {
    add_row(table,
            {bias_A, made->errors().noise, made->errors().noise / output_scale(*made), made->errors().bandwidth_Hz});
  }
  describe_errors(*nominal, result);
  const auto& c = table.columns;
  result.figure = {bench.circuit.name + ": noise",
                   {{"at the output",
                     {"bias current (A)", "", true},
                     {"rms noise, share of full scale", "", true},
                     {{"", c[0].values, c[2].values, {}, plot::Style::line_points}}},
                    {"speed",
                     {"bias current (A)", "", true},
                     {"bandwidth (Hz)", "", true},
                     {{"", c[0].values, c[3].values, {}, plot::Style::line_points}}}}};
  result.tables.push_back(std::move(table));
}

void energy(const Bench& bench, Characterization& result) {
  DataTable table{"energy",
                  {{"bias", "A", {}},
                   {"bandwidth", "Hz", {}},
                   {"energy_low", "J", {}},
                   {"energy", "J", {}},
                   {"energy_high", "J", {}},
                   {"area", "m2", {}}}};
  for (const auto& [bias_A, made] : bench.over()) {
    const circuits::FrontEndCost& cost = made->cost();
    add_row(table, {bias_A, cost.bandwidth_Hz, cost.energy_J.low, cost.energy_J.typical, cost.energy_J.high,
                    cost.area_m2.typical});
  }
  const Made crossing = bench.nominal();
  describe_cost(crossing->cost(), result);
  describe_book(crossing->energy(0, 0.5 * crossing->full_scale(), crossing->cost().evaluation_s), result);
  result.figure = energy_figure(bench.circuit.name, table);
  result.tables.push_back(std::move(table));
}

void temperature(const Bench& bench, Characterization& result) {
  DataTable table{"temperature",
                  {{"temperature", "K", {}}, {"gain_error", "1", {}}, {"noise", "1", {}}, {"bandwidth", "Hz", {}}}};
  for (const double t_C : evenly(-40, 125, 12)) {
    const Made crossing = bench.make(bench.request.settings, at_celsius(t_C));
    add_row(table, {t_C + 273.15, crossing->errors().gain_error, crossing->errors().noise / output_scale(*crossing),
                    crossing->errors().bandwidth_Hz});
  }
  const auto& c = table.columns;
  std::vector<double> celsius;
  for (const double t_K : c[0].values) celsius.push_back(t_K - 273.15);
  result.findings.push_back(fmt::format(
      "From -40 to 125 C gain is off by {:.3g} to {:.3g} and noise goes from {:.3g} to {:.3g} of full scale.",
      c[1].values.front(), c[1].values.back(), c[2].values.front(), c[2].values.back()));
  const plot::Axis axis{"temperature (C)", "", false, false};
  result.figure = {bench.circuit.name + ": temperature",
                   {{"gain",
                     axis,
                     {"gain / ideal - 1", "", false, false},
                     {{"", celsius, c[1].values, {}, plot::Style::line_points}}},
                    {"noise",
                     axis,
                     {"rms noise, share of full scale", "", false, false, 0.0},
                     {{"", celsius, c[2].values, {}, plot::Style::line_points}}}}};
  result.tables.push_back(std::move(table));
}

}  // namespace

void crossing_protocol(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request,
                       Characterization& result) {
  const Bench bench{circuit, request};
  result.settings =
      write_config(read_single<circuits::CrossingConfig>("crossing", circuit.smallest_yaml, request.settings));
  if (protocol == "transfer") transfer(bench, result);
  if (protocol == "error") error(bench, result);
  if (protocol == "mismatch") mismatch(bench, result);
  if (protocol == "noise") noise(bench, result);
  if (protocol == "energy") energy(bench, result);
  if (protocol == "temperature") temperature(bench, result);
}

}  // namespace tellegen::characterize
