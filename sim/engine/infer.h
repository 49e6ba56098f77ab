#pragma once
// Stages 4 and 5: converter ranges from samples, then batches through the chip.

#include <vector>

#include "tellegen/models/executor.h"
#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/program.h"

namespace tellegen::sim {

/// Sets ADC ranges and gains from the calibration samples, layer after layer as the signal passes them.
template <class T>
void calibrate(ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
               const ExperimentConfig& config);

struct BatchResult {
  std::vector<int> predictions;      ///< [samples]; empty where samples have no class
  std::vector<double> scores;        ///< [samples][TestSet::columns()]
  std::vector<LayerEvents> events;   ///< per row of the plan (mapping::row_of)
  std::vector<LayerSignal> signals;  ///< per row of the plan; only where compare_with_float
};

/// States of a streaming network between batches, which must then run in order.
struct Streams {
  models::StreamMemory chip, reference;
};

/// Samples first .. first + count - 1. Draws are addressed by (seed, chip, tile, sample, position or step). `streams`: null
/// where each batch starts anew.
template <class T>
BatchResult infer(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                  const ExperimentConfig& config, std::int64_t first, std::int64_t count, bool compare_with_float,
                  Streams* streams = nullptr);

/// Same, returning the logits (for tests against the float network).
template <class T>
models::Tensor infer_logits(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                            const ExperimentConfig& config, std::int64_t first, std::int64_t count,
                            Streams* streams = nullptr);

}  // namespace tellegen::sim
