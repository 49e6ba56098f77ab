#pragma once
// Stage 1: the network, its test set, and what the float network makes of it.

#include <vector>

#include "tellegen/base/parallel.h"
#include "tellegen/models/dataset.h"
#include "tellegen/models/network.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::sim {

/// What the float network puts into one matrix layer, over the calibration samples.
struct InputRange {
  double max_abs = 0;
  bool is_signed = false;  ///< any negative input
};

struct Workload {
  models::Network network;
  models::Dataset data;
  std::int64_t samples = 0;            ///< evaluated
  std::vector<int> float_predictions;  ///< [samples]
  double float_accuracy = 0;
  std::vector<InputRange> inputs;  ///< per node; meaningful for matrix operations
};

Workload load(const ExperimentConfig& config, int threads, const Progress& progress = {});

}  // namespace tellegen::sim
