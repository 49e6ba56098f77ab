#include "tellegen/sim/engine/unit_prices.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tellegen::sim {
namespace {

using circuits::Price;

/// "gelu (erf)" as part of a name: "gelu_erf".
std::string as_word(const std::string& label) {
  std::string word;
  for (const char c : label) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) word += c;
    if (!plain && !word.empty() && word.back() != '_') word += '_';
  }
  while (!word.empty() && word.back() == '_') word.pop_back();
  return word;
}

/// Each component of a layer has one line; a second circuit of the same kind gets a number.
void add(std::vector<UnitCost>& costs, UnitCost cost) {
  const std::string name = cost.component;
  const auto known = [&] {
    return std::any_of(costs.begin(), costs.end(), [&](const UnitCost& c) { return c.component == cost.component; });
  };
  for (int copy = 2; known(); ++copy) cost.component = name + "_" + std::to_string(copy);
  costs.push_back(std::move(cost));
}

/// Outputs are held while cells' drives last, as behind any other front-end: then a sample of them is.
Price of_circuit(const circuits::FrontEndCost& cost, const mapping::ChipConfig& chip) {
  return circuits::evaluation_price(cost, chip.dac.full_drive().si());
}

void add_circuits(const mapping::AnalogUnit& unit, const UnitEvents& events, const mapping::ChipConfig& chip,
                  std::vector<UnitCost>& costs) {
  const auto evaluations = static_cast<double>(events.evaluations), outputs = static_cast<double>(unit.outputs());
  for (const mapping::UnitGroup& group : unit.groups) {
    const auto neurons = static_cast<double>(group.neurons.size());
    add(costs, {"unit_" + as_word(group.function), evaluations * neurons / outputs, "evaluations", neurons,
                of_circuit(group.circuit->cost(), chip)});
  }
  if (unit.softmax != nullptr) {
    add(costs, {"unit_softmax", evaluations, "rows", static_cast<double>(unit.heads),
                of_circuit(unit.softmax->cost(static_cast<std::size_t>(unit.row)), chip)});
  }
}

double settling_s(const mapping::AnalogUnit& unit) {
  if (unit.softmax != nullptr) return unit.softmax->cost(static_cast<std::size_t>(unit.row)).evaluation_s;
  double slowest_s = 0;
  for (const mapping::UnitGroup& group : unit.groups)
    slowest_s = std::max(slowest_s, group.circuit->cost().evaluation_s);
  return slowest_s;
}

}  // namespace

std::vector<UnitCost> unit_costs(const mapping::Plan& plan, const LayerEvents& events, const mapping::ChipConfig& chip,
                                 const UnitConverterPrices& converters) {
  std::vector<UnitCost> costs;
  UnitEvents all;
  double outputs = 0, adcs = 0;
  for (const auto& [number, counts] : events.units) {
    const mapping::AnalogUnit& unit = plan.analog_units[number];
    if (chip.analog_units.fidelity != mapping::UnitFidelity::ideal) add_circuits(unit, counts, chip, costs);
    all += counts;
    outputs += static_cast<double>(unit.outputs());
    adcs += std::ceil(static_cast<double>(unit.outputs()) / chip.adc.columns_per_adc);
  }
  if (events.units.empty()) return costs;
  const auto drives = static_cast<double>(all.drives), conversions = static_cast<double>(all.conversions);
  add(costs, {"unit_dac", drives, "drives", outputs, converters.dac});
  add(costs, {"unit_sample_hold", conversions, "samples", outputs, converters.sample_hold});
  add(costs, {"unit_adc", conversions, "conversions", adcs, converters.adc});
  return costs;
}

double units_latency_s(const mapping::Plan& plan, const LayerEvents& events, const mapping::ChipConfig& chip,
                       const UnitConverterPrices& converters) {
  double total_s = 0;
  for (const auto& [number, counts] : events.units) {
    const mapping::AnalogUnit& unit = plan.analog_units[number];
    const double circuit_s = chip.analog_units.fidelity == mapping::UnitFidelity::ideal ? 0 : settling_s(unit);
    const double shared = std::min<double>(chip.adc.columns_per_adc, static_cast<double>(unit.outputs()));
    total_s += static_cast<double>(unit.positions) *
               std::max(chip.dac.full_drive().si() + circuit_s, shared * converters.conversion_s);
  }
  return total_s;
}

}  // namespace tellegen::sim
