#pragma once
// Stage 1: the network, its test set, and what the float network makes of it.

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "tellegen/base/parallel.h"
#include "tellegen/mapping/boundary.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/models/network.h"
#include "tellegen/models/test_set.h"
#include "tellegen/sim/engine/experiment.h"
#include "tellegen/sim/engine/written_inputs.h"

namespace tellegen::sim {

/// What the float network puts into one matrix layer, over the calibration samples.
struct InputRange {
  double max_abs = 0;
  bool is_signed = false;  ///< any negative input
  void widen(std::span<const float> values);
  void widen(const InputRange& other);
};

/// A test set and where it came from.
struct TestData {
  std::shared_ptr<const models::TestSet> set;
  std::filesystem::path file;
  std::vector<int> labels;  ///< class of each sample; empty where samples have none
  std::int64_t size() const { return set->size(); }
  models::Tensor batch(std::int64_t first, std::int64_t count) const { return set->batch(first, count); }
};

/// What the float network multiplies by one matrix of a layer with a state.
struct StateInputs {
  InputRange range;        ///< over the calibration samples
  models::Tensor samples;  ///< [some, hidden], evenly spaced over steps and some of the samples
};

struct Workload {
  models::Network network;           ///< with activations in front of products where the chip has threshold gates
  std::vector<mapping::Edge> edges;  ///< how activations cross to what reads them, as asked for
  TestData data;
  std::int64_t samples = 0;            ///< evaluated
  std::vector<int> float_predictions;  ///< [samples]; empty where samples have no class
  std::vector<models::Figure> float_figures;
  double float_accuracy = 0;  ///< the figure that network.metric names
  /// Per node; meaningful for matrix operations, before their gates, and for activations.
  std::vector<InputRange> inputs;
  std::vector<InputRange> gated;                 ///< per node: behind their gates, where they have any
  std::vector<WrittenInputs> written;            ///< per node that multiplies two computed matrices
  std::vector<std::vector<StateInputs>> states;  ///< per node, per matrix of a layer with a state
  /// What the float network puts into a layer, before its gate.
  const InputRange& input_of(const mapping::LayerPlan& layer) const {
    return layer.matrix ? states[layer.node][*layer.matrix].range : inputs[layer.node];
  }
};

/// The network as the chip runs it, without data.
Workload load_network(const ExperimentConfig& config);
/// Samples of the test set that `config` names.
std::int64_t test_set_size(const ExperimentConfig& config);
Workload load(const ExperimentConfig& config, int threads, const Progress& progress = {});

}  // namespace tellegen::sim
