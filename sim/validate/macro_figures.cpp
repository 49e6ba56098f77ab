#include "tellegen/sim/validate/macro_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/cost/roll_up.h"
#include "tellegen/mapping/plan_table.h"
#include "tellegen/models/network.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/sim/engine/ledger.h"

namespace tellegen::sim {
namespace {

using circuits::Price;

/// A network of one matrix: the planner needs its shape alone.
models::Network one_product(const MacroOperation& operation) {
  models::Network network;
  network.values = {{"x", {-1, operation.inputs}}, {"y", {-1, operation.outputs}}};
  std::vector<float> weights(static_cast<std::size_t>(operation.inputs * operation.outputs), 1.0F);
  models::Node node;
  node.name = "product";
  node.operation = std::make_shared<models::Linear>(operation.inputs, std::move(weights), std::vector<float>{});
  node.inputs = {0};
  node.output = 1;
  network.nodes.push_back(std::move(node));
  network.input = 0;
  network.output = 1;
  return network;
}

mapping::Plan plan_of(const Macro& macro) {
  mapping::PlanOutcome outcome = mapping::plan_greedy(one_product(macro.operation), macro.chip);
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) throw RefusedError(*refusal);
  mapping::Plan plan = std::get<mapping::Plan>(std::move(outcome));
  if (plan.tiles != 1) {
    throw RefusedError({fmt::format("The product of {} by {} of '{}' takes {} arrays.", macro.operation.inputs,
                                    macro.operation.outputs, macro.name, plan.tiles),
                        "Make chip.tile as large as the product; further arrays are operation.arrays."});
  }
  return plan;
}

/// One product on one array, with the activity that the file assumes.
LayerEvents count(const Macro& macro, const mapping::Plan& plan) {
  const mapping::TileSlice& slice = plan.layers[0].slices[0];
  const mapping::TileConverters used = mapping::used_converters(slice, macro.chip);
  circuits::Dac dac;
  dac.config = macro.chip.dac;
  const double slices = dac.slices(), v_V = macro.chip.dac.v_read.si();
  LayerEvents events;
  events.images = events.products = 1;
  events.dac_drives = slice.rows_used * dac.slices();
  events.conversions = static_cast<std::int64_t>(used.lines) * dac.slices();
  events.shift_adds = std::max<std::int64_t>(0, events.conversions - slice.outputs());
  events.scalings = slice.outputs();
  events.drive_V2 = slice.rows_used * slices * v_V * v_V * macro.activity.drive;
  const double cells = static_cast<double>(slice.rows_used) * slice.columns_used * slices;
  const double moved = cells * macro.activity.drive * macro.activity.cells * v_V * v_V;
  if (macro.cells.conductance) {
    events.cell_energy_J = moved * macro.cells.conductance->si() * macro.chip.dac.full_drive().si();
  } else if (macro.cells.capacitance) {
    events.cell_energy_J = moved * macro.cells.capacitance->si();
  }
  return events;
}

/// Rows of the ledger that the figures include, of one array.
std::vector<MacroRow> ledger_rows(const Macro& macro, const Ledger& ledger) {
  std::vector<MacroRow> rows;
  for (const std::string& component : macro.components) {
    MacroRow row{component, 0, 0, {}};
    bool known = false;
    for (const EnergyRow& energy : ledger.energy) {
      if (energy.component != component) continue;
      known = true;
      row.actions = energy.count;
      row.price = energy.price;
    }
    for (const AreaRow& area : ledger.area) {
      if (area.component != component) continue;
      known = true;
      row.instances = area.instances;
      row.price = area.price;
    }
    if (!known) {
      throw InputError(fmt::format("macro '{}': components has '{}', which is not a component of the ledger.",
                                   macro.name, component));
    }
    rows.push_back(row);
  }
  return rows;
}

double how_many(Per per, const Macro& macro, const LayerEvents& events, const mapping::TileConverters& used) {
  const double inputs = static_cast<double>(macro.operation.inputs);
  const double outputs = static_cast<double>(macro.operation.outputs);
  switch (per) {
    case Per::none:
      return 0;
    case Per::array:
      return 1;
    case Per::row:
      return used.dacs;
    case Per::line:
      return used.lines;
    case Per::output:
      return outputs;
    case Per::mac:
      return inputs * outputs;
    case Per::drive:
      return static_cast<double>(events.dac_drives);
    case Per::conversion:
      return static_cast<double>(events.conversions);
  }
  TELLEGEN_ASSERT(false);
  return 0;
}

double how_often(Times times, const Macro& macro) {
  if (times == Times::once) return 1;
  if (!macro.bit_planes) {
    throw InputError(fmt::format("macro '{}': a part acts once per bit plane, but bit_planes is missing.", macro.name));
  }
  if (times == Times::magnitude_bits) return macro.bit_planes->magnitude_bits();
  return times == Times::integration_steps ? macro.bit_planes->integration_steps()
                                           : macro.bit_planes->conversion_steps();
}

circuits::Total total_of(const std::vector<MacroRow>& rows) {
  std::vector<circuits::Part> parts;
  parts.reserve(rows.size());
  for (const MacroRow& row : rows) parts.push_back({row.part, row.price, row.instances, row.actions});
  return circuits::roll_up(parts);
}

}  // namespace

MacroFigures macro_figures(const Macro& macro, const std::filesystem::path& folder) {
  const mapping::Plan plan = plan_of(macro);
  const LayerEvents events = count(macro, plan);
  const circuits::CostModel costs(macro.costs, folder);
  ExperimentConfig experiment;
  experiment.chip = macro.chip;
  experiment.costs = macro.costs;
  const Ledger ledger = price({events}, plan, experiment, costs);

  MacroFigures figures;
  figures.rows = ledger_rows(macro, ledger);
  const mapping::TileConverters used = mapping::used_converters(plan.layers[0].slices[0], macro.chip);
  for (const MacroPart& part : macro.parts) {
    const double actions = part.count * how_often(part.times, macro) * how_many(part.per, macro, events, used);
    const double instances = part.count * how_many(part.instances, macro, events, used);
    figures.rows.push_back({part.entry, actions, instances, costs.entry(part.entry, macro.chip.node)});
  }
  if (macro.control) figures.rows.push_back({"control", 1, 1, costs.control(total_of(figures.rows))});
  const double arrays = macro.operation.arrays;
  for (MacroRow& row : figures.rows) {
    row.actions *= arrays;
    row.instances *= arrays;
  }
  const circuits::Total total = total_of(figures.rows);
  figures.energy_J = total.energy_J;
  figures.area_m2 = total.area_m2;
  figures.operations =
      2 * arrays * static_cast<double>(macro.operation.inputs) * static_cast<double>(macro.operation.outputs);
  figures.time_s = macro.bit_planes ? macro.bit_planes->time_s() : total_latency_s(ledger);
  return figures;
}

}  // namespace tellegen::sim
