#pragma once
// Options as chains of circuits: built, run over sampled circuits, priced.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/sim/compare/layer.h"
#include "tellegen/sim/compare/option.h"
#include "tellegen/sim/compare/stage.h"

namespace tellegen::compare {

/// What all options of a comparison share.
struct Surroundings {
  const circuits::CostModel* costs = nullptr;
  Length node = Length::si(32e-9);
  int rows = 128;  ///< of the arrays
  std::vector<Temperature> temperatures{Temperature::si(300)};
  Temperature priced_at = Temperature::si(300);
  int circuits = 100;
  std::uint64_t seed = 1;
};

/// One layer with one option.
struct Task {
  const LayerConfig& layer;
  const LayerSamples& samples;
  const OptionConfig& option;
  const Surroundings& around;
};

/// Throws InputError where a circuit cannot do the function, RefusedError where it has no room.
Path make_path(const Task& task, const Sizes& sizes, Temperature temperature);

/// RMS error over y_scale of each sampled circuit; temperatures take turns.
std::vector<double> circuit_errors(const Task& task, const Sizes& sizes);
/// Nearest rank.
double percentile(std::vector<double> values, double percent);

/// Band and seconds of one activation or one lane.
struct ComponentCost {
  std::string component;
  circuits::Band energy_J;  ///< per activation, static power over the time of a wave included
  circuits::Band area_m2;   ///< per lane
  double actions = 1, instances = 1;
  int shared_by = 1;
  bool sharable = false;
  std::string source, spread;
};
struct PathCost {
  std::vector<ComponentCost> components;
  circuits::Band energy_J, area_m2;
  /// From the product to the drive of the next rows, all lanes once: the sum of what each component takes, and the turns
  /// of the shared one that takes longest.
  double latency_s = 0;
  std::vector<std::string> warnings;
};
PathCost cost_of(const Path& path);

}  // namespace tellegen::compare
