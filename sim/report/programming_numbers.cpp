#include "tellegen/sim/report/programming_numbers.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "tellegen/sim/report/value_text.h"

namespace tellegen::report {
namespace {

constexpr const char* kCounted = "counted while programming";

devices::PulseCount total(const sim::RunResult& result) {
  devices::PulseCount sum;
  for (const sim::CellSpread& layer : result.spread) sum += layer.pulses;
  return sum;
}

struct Scope {
  std::string suffix;  ///< "" for the chip, ".LAYER" for a layer
  std::string of;      ///< "the chip", or the name of the layer
};

void add_number(Report& report, Number number, double value, std::vector<NumberInput> inputs) {
  number.value = number.low = number.high = value;
  number.inputs = std::move(inputs);
  number.source = kCounted;
  report.numbers.add(std::move(number));
}

Number named(const std::string& id, const std::string& title, const char* unit, const char* formula) {
  Number number;
  number.id = id;
  number.title = title;
  number.unit = unit;
  number.formula = formula;
  return number;
}

void add_scope(Report& report, const devices::PulseCount& count, double chips, const Scope& scope) {
  const auto whole = [](std::uint64_t n) { return static_cast<double>(n); };
  const NumberInput cells{"cells", whole(count.cells), "1", ""}, over{"chips", chips, "1", ""};
  add_number(report,
             named("unconverged" + scope.suffix, "cells of " + scope.of + " that did not reach their target",
                   "fraction", "unconverged / cells"),
             whole(count.unconverged) / whole(count.cells),
             {{"unconverged", whole(count.unconverged), "1", ""}, cells});
  add_number(report, named("pulses" + scope.suffix, "pulses per cell of " + scope.of, "1", "pulses / cells"),
             whole(count.pulses) / whole(count.cells), {{"pulses", whole(count.pulses), "1", ""}, cells});
  add_number(report,
             named("programming_energy" + scope.suffix, "energy of pulses and verify reads of " + scope.of, "J",
                   "energy / chips"),
             count.energy_J / chips, {{"energy", count.energy_J, "J", ""}, over});
  add_number(report,
             named("programming_time" + scope.suffix,
                   "pulses and verify reads of " + scope.of + ", one cell after the other", "s", "time / chips"),
             count.time_s / chips,
             {{"time", count.time_s, "s", ""}, over, {"slowest cell", count.longest_cell_s, "s", ""}});
}

}  // namespace

void add_programming(const sim::RunResult& result, Report& report) {
  const devices::PulseCount sum = total(result);
  if (sum.cells == 0) return;
  const double chips = static_cast<double>(result.chips.size());
  add_scope(report, sum, chips, {"", "the chip"});
  for (std::size_t l = 0; l < result.spread.size(); ++l) {
    if (result.spread[l].pulses.cells == 0) continue;
    const ReportLayer& layer = report.layers[l];
    add_scope(report, result.spread[l].pulses, chips, {"." + layer.id, layer.name});
  }
}

std::string programming_line(const Report& report) {
  const Number* pulses = report.numbers.find("pulses");
  if (pulses == nullptr) return "";
  const auto text = [&](const char* id) {
    const Number& number = report.numbers.at(id);
    return value_text(number.value, number.unit);
  };
  return fmt::format("writing    {} pulses per cell   {}   {} one cell after the other   not converged {}\n",
                     text("pulses"), text("programming_energy"), text("programming_time"), text("unconverged"));
}

void write_programming(Hdf5Writer& file, const sim::RunResult& result) {
  if (total(result).cells == 0) return;
  const auto whole = [&](const std::string& name, std::uint64_t devices::PulseCount::*member) {
    std::vector<std::int64_t> values;
    for (const sim::CellSpread& layer : result.spread)
      values.push_back(static_cast<std::int64_t>(layer.pulses.*member));
    file.write("programming/" + name, std::span<const std::int64_t>(values), {values.size()});
    file.attribute("programming/" + name, "unit", "1");
  };
  const auto real = [&](const std::string& name, const char* unit, double devices::PulseCount::*member) {
    std::vector<double> values;
    for (const sim::CellSpread& layer : result.spread) values.push_back(layer.pulses.*member);
    file.write("programming/" + name, std::span<const double>(values), {values.size()});
    file.attribute("programming/" + name, "unit", unit);
  };
  whole("cells", &devices::PulseCount::cells);
  whole("unconverged", &devices::PulseCount::unconverged);
  whole("pulses", &devices::PulseCount::pulses);
  whole("reads", &devices::PulseCount::reads);
  real("energy", "J", &devices::PulseCount::energy_J);
  real("time", "s", &devices::PulseCount::time_s);
  real("longest_cell", "s", &devices::PulseCount::longest_cell_s);
}

}  // namespace tellegen::report
