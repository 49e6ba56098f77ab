#pragma once
// One configuration, run: what sweeps and comparisons keep of it.

#include <map>
#include <string>
#include <vector>

#include "tellegen/base/statistics.h"
#include "tellegen/circuits/cost/price.h"
#include "tellegen/sim/engine/run.h"

namespace tellegen::report {

/// Why a point has no result: it cannot be done, its input is wrong, or the program failed.
enum class NoResult { refused, wrong_input, fault };

struct Point {
  std::string refusal;                  ///< why it has no result; "" where it ran, and everything below is then set
  NoResult reason = NoResult::refused;  ///< of a refusal
  std::string config_hash;
  std::string metric = "top1";  ///< what the accuracies are: one of sim::metric_kinds()
  double float_accuracy = 0;
  MeanInterval accuracy;              ///< over chips
  std::vector<double> chip_accuracy;  ///< [chips]
  circuits::Band energy_J, area_m2;   ///< per image; of the chip
  double latency_s = 0;
  std::map<std::string, circuits::Band> component_energy_J, component_area_m2;
  std::vector<std::string> warnings;
  bool done() const { return refusal.empty(); }
};

/// What is kept of a run; a warning says where something is not finite.
Point point_of(const sim::RunResult& result);

/// Whatever goes wrong is an answer (Point::refusal), so that one point does not cost the others.
Point run_point(sim::Session& session, const sim::ExperimentConfig& config, const Progress& progress = {});

/// Throws InputError where no point has a result and the input of all of them is wrong: nothing is worth keeping.
void require_right_input(const std::vector<const Point*>& points);
/// After results are written. Throws RefusedError where no point has a result, std::runtime_error where the program
/// failed at one.
void require_results(const std::vector<const Point*>& points);

/// "refused: LABEL; LABEL: why", one line per text; `labels` name the points.
std::string refusal_lines(const std::vector<const Point*>& points, const std::vector<std::string>& labels);

/// `total` steps of `points` runs as one bar: the progress of run number `index`.
Progress part_of(const Progress& whole, std::size_t index, std::size_t points);

}  // namespace tellegen::report
