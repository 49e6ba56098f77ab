#pragma once
// The answer to one experiment: a heading, the layers, and the flat list of numbers. Everything that is shown or stored
// is a view over it, and run.h5 holds all of it, so that a number can be explained long after the run.

#include <cstdint>
#include <string>
#include <vector>

#include "tellegen/sim/engine/run.h"
#include "tellegen/sim/report/number.h"

namespace tellegen::report {

/// A matrix layer of the plan, or a product of two computed matrices on its tiles.
struct ReportLayer {
  std::string id;         ///< in ids of numbers: "conv1"
  std::string name;       ///< in the network's file: "/conv1/Conv"
  std::string operation;  ///< "conv 3x3"
};

struct Report {
  std::string name;              ///< of the experiment
  std::string title;             ///< one line: what was run on what
  std::string extent;            ///< "5 chips, 10000 images, seed 1"
  std::string sample = "image";  ///< what one sample of the test set is
  std::string source;            ///< the files that the experiment names
  std::string version, config_hash, config_yaml;
  std::uint64_t seed = 0;
  std::vector<std::string> log;  ///< which solvers were used and why; full sentences
  std::vector<ReportLayer> layers;
  std::vector<mapping::Edge> edges;     ///< how each activation crosses to what reads it
  std::vector<std::string> components;  ///< in order of appearance in the ledger
  Numbers numbers;
};

/// Input of accuracy.chip: half of its 95 % interval, before low and high were kept within 0 and 1.
inline constexpr const char* kHalfWidth = "half width of the interval";

/// Everything known about a finished run. Ids: accuracy.chip, accuracy.float, energy, energy.LAYER,
/// energy.LAYER.COMPONENT, energy.all.COMPONENT, the same for area, latency and latency.LAYER, snr.LAYER,
/// clipped.LAYER, utilisation.LAYER, tiles.LAYER, count.LAYER.EVENT, macs, tops, tops_per_watt, tops_per_mm2.
Report make_report(const sim::RunResult& result);

/// Of Session::expect: the same without accuracy, metrics, signals and programming.
Report make_plan_report(const sim::RunResult& result);

/// Layer ids of the result's plan, in order; the same as in the report and in run.h5.
std::vector<ReportLayer> report_layers(const sim::RunResult& result);

/// Raw counts of one layer by the name they have in run.h5 and in ids ("conversions", "digital_relu", ...).
struct NamedCount {
  std::string name, unit;
  double value = 0;
  bool whole = true;  ///< an exact integer
};
std::vector<NamedCount> named_counts(const sim::LayerEvents& events);

}  // namespace tellegen::report
