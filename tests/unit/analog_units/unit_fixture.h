#pragma once
// One unit beside a network: for tests of what circuits make of given values.

#include <memory>
#include <string>
#include <vector>

#include "engine_fixture.h"
#include "tellegen/sim/engine/analog_units.h"

namespace tellegen::sim::test {

/// An activation or softmax of a shipped network, planned with `yaml` below chip.
struct OneUnit {
  OneUnit(const std::string& network, const std::string& chip_yaml)
      : config(experiment(network, "chip: {" + chip_yaml + "}")), planned(Session(kCosts).plan_only(config)) {}
  const mapping::AnalogUnit& unit() const { return planned.plan.analog_units.at(0); }
  const models::Node& node() const { return planned.workload->network.nodes[unit().node]; }
  UnitPlace place(std::uint32_t chip = 0) const { return {unit(), node(), config, chip}; }

  ExperimentConfig config;
  RunResult planned;
};

inline const std::string kIdealConverters = "dac: {bits: ideal}, adc: {bits: ideal}, ";

/// The node's own output.
inline models::Tensor exactly(const OneUnit& one, const models::Tensor& input) {
  const models::Tensor* inputs[] = {&input};
  return one.node().operation->run(inputs);
}

}  // namespace tellegen::sim::test
