#pragma once
// Stage 1: the network, its test set, and what the float network makes of it.

#include <span>
#include <vector>

#include "tellegen/base/parallel.h"
#include "tellegen/mapping/boundary.h"
#include "tellegen/models/dataset.h"
#include "tellegen/models/network.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::sim {

/// What the float network puts into one matrix layer, over the calibration samples.
struct InputRange {
  double max_abs = 0;
  bool is_signed = false;  ///< any negative input
  void widen(std::span<const float> values);
  void widen(const InputRange& other);
};

struct Workload {
  models::Network network;           ///< with activations in front of products where the chip has threshold gates
  std::vector<mapping::Edge> edges;  ///< how activations cross to what reads them, as asked for
  models::Dataset data;
  std::int64_t samples = 0;            ///< evaluated
  std::vector<int> float_predictions;  ///< [samples]
  double float_accuracy = 0;
  std::vector<InputRange> inputs;  ///< per node; meaningful for matrix operations: before their gates
  std::vector<InputRange> gated;   ///< per node: behind their gates, where they have any
};

/// The network as the chip runs it, without data.
Workload load_network(const ExperimentConfig& config);
Workload load(const ExperimentConfig& config, int threads, const Progress& progress = {});

}  // namespace tellegen::sim
