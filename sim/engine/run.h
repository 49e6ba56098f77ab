#pragma once
// All stages in order, over chips and batches, on threads.

#include <memory>
#include <string>
#include <vector>

#include "tellegen/base/parallel.h"
#include "tellegen/base/statistics.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/infer.h"
#include "tellegen/sim/engine/ledger.h"

namespace tellegen::sim {

struct ChipResult {
  int chip = 0;
  double accuracy = 0;                  ///< the figure that network.metric names
  std::vector<models::Figure> figures;  ///< all metrics of the test set, with intervals over its samples
  std::vector<int> predictions;         ///< [samples]; empty where samples have no class
  std::vector<LayerEvents> events;      ///< per row of the plan, all samples
  std::vector<LayerSignal> signals;     ///< per row of the plan
  std::vector<double> faults;           ///< per plan layer: share of stuck cells
  std::vector<CellSpread> spread;       ///< per plan layer
};

struct RunResult {
  ExperimentConfig config;
  std::string resolved_yaml, hash, version;
  std::shared_ptr<const Workload> workload;
  mapping::Plan plan;
  std::vector<mapping::Edge> edges;  ///< how each activation crosses to what reads it, and why
  std::vector<ChipResult> chips;
  Ledger ledger;
  std::int64_t samples = 0;
  double float_accuracy = 0;  ///< of the metric of network.metric, whatever it is (predictions.h)
  MeanInterval accuracy;      ///< over chips
  std::int64_t macs_per_image = 0;
  std::vector<LayerEvents> events;  ///< per row of the plan, over all chips
  std::vector<CellSpread> spread;   ///< per plan layer, over all chips
  std::vector<std::string> log;     ///< which solvers were used and why
};

/// Keeps what later runs can use again: a sweep re-enters at the earliest stage whose input changed.
class Session {
 public:
  explicit Session(std::filesystem::path cost_folder, int threads = 0);
  ~Session();
  /// Throws ConfigError/InputError (2) and RefusedError (3). Same configuration, same bits, for any number of threads.
  RunResult run(const ExperimentConfig& config, const Progress& progress = {});
  /// Energy, area and latency without inference: chips are programmed, and energies that depend on values come from
  /// statistics (config.evaluate.energy: histogram or row_moments). No accuracy, signals or chips in the result. Throws as
  /// run.
  RunResult expect(const ExperimentConfig& config);
  /// Stages 1 and 2 only.
  RunResult plan_only(const ExperimentConfig& config);
  int threads() const;

 private:
  struct Cache;
  std::unique_ptr<Cache> cache_;
};

std::string version();

}  // namespace tellegen::sim
