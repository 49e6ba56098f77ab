#pragma once
// One chip of an experiment, what it traces, and what statistics of values expect of it.

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine_fixture.h"
#include "tellegen/mapping/products.h"
#include "tellegen/models/executor.h"
#include "tellegen/sim/engine/expected_energy.h"
#include "tellegen/sim/engine/layer_path.h"

namespace tellegen::sim::test {

/// A network planned and one chip of it programmed and calibrated.
template <class T>
struct Prepared {
  ExperimentConfig config;
  Workload workload;
  mapping::Plan plan;
  ProgrammedChip<T> chip;

  Prepared(const std::string& network, const std::string& yaml, const Overrides& overrides = {})
      : config(experiment(network, yaml, overrides)), workload(load(config, 2)) {
    plan = std::get<mapping::Plan>(mapping::plan_greedy(workload.network, config.chip));
    std::vector<double> largest;
    for (const InputRange& range : workload.inputs) largest.push_back(range.max_abs);
    mapping::place_boundaries(plan, workload.network, workload.edges, config.chip, config.evaluate.temperature,
                              largest);
    chip = program<T>(workload, plan, config, 0);
    calibrate(chip, workload, plan, config);
  }

  BatchResult traced() const { return infer(chip, workload, plan, config, 0, workload.samples, false); }

  /// Events of the plan with energies by `method`, from the float network's values.
  std::vector<LayerEvents> expected(EnergyMethod method) {
    config.evaluate.energy = method;
    const ValueStatistics statistics = float_values(workload, plan, config, 2);
    std::vector<LayerEvents> events = planned_events(statistics, workload, plan, config);
    expect_energy(chip, statistics, plan, config, events);
    return events;
  }
};

/// What the chip sees while it infers, gathered as the float network's values are.
template <class T>
ValueStatistics seen_by_chip(const Prepared<T>& on, std::int64_t kept_reads = 1) {
  ValueStatistics statistics;
  statistics.samples = on.workload.samples;
  statistics.designed = designed_layers(on.workload, on.plan, on.config);
  std::vector<ValueCollector> collectors;
  for (std::size_t l = 0; l < on.plan.layers.size(); ++l) {
    const mapping::LayerPlan& layer = on.plan.layers[l];
    collectors.emplace_back(mapping::product_operation(on.workload.network, layer.node, layer.matrix), layer,
                            statistics.designed[l], on.config, kept_reads);
  }
  const PathContext context = path_context(on.config, on.chip.chip);
  std::vector<std::uint64_t> reads(on.plan.layers.size(), 0);
  const auto pass = [&](std::size_t l, const models::Tensor& input) {
    collectors[l].add(input);
    LayerEvents events;
    const mapping::LayerPlan& layer = on.plan.layers[l];
    models::Tensor output = layer_forward(on.chip.layers[l], layer,
                                          mapping::product_operation(on.workload.network, layer.node, layer.matrix),
                                          input, context, reads[l], events);
    reads[l] += static_cast<std::uint64_t>(events.products);
    return output;
  };
  models::Hooks hooks;
  hooks.product = [&](const models::Node&, std::size_t index, const models::Tensor& input) {
    return pass(mapping::layer_of(on.plan, index).value(), input);
  };
  hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix, const models::Tensor& states) {
    return pass(mapping::layer_of(on.plan, index, matrix).value(), states);
  };
  models::execute(on.workload.network, on.workload.data.batch(0, on.workload.samples), hooks);
  for (ValueCollector& collector : collectors) statistics.layers.push_back(collector.take());
  return statistics;
}

}  // namespace tellegen::sim::test
