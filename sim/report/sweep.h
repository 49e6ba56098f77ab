#pragma once
// A grid of experiments: every combination of the values of some settings.
//
//   experiment: configs/experiments/fashion_resnet8.yaml   # or an axis of that name below
//   set:  {evaluate.samples: 1000}                         # for all points
//   over: {chip.device.age: [1 s, 1 day], chip.adc.bits: [6, 8]}
//   compare_axis: chip.adc.bits                            # optional: paired differences along this axis
//
// An axis may change several settings at once, to the same value: "chip.crossbar.row_wire, chip.crossbar.column_wire".
//
// Same seed, same draws: two points that differ in a setting that draws nothing are programmed with the same random
// numbers, so that the difference of their accuracies, chip by chip, is known better than either.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/report/layered_settings.h"
#include "tellegen/sim/report/point.h"

namespace tellegen::report {

/// The axis that is not a setting but a list of experiment files.
inline constexpr const char* kExperimentAxis = "experiment";
/// A larger grid is a mistake.
inline constexpr std::size_t kMostPoints = 100000;

struct SweepConfig {
  std::filesystem::path experiment;  ///< "" where `over` has an axis of that name
  SettingsMap set, over;
  std::string compare_axis;
  void settings(Settings& v);
};

/// Differences of accuracy along the compared axis, with everything else equal.
struct PairedDifference {
  std::size_t point = 0;            ///< index of the later point
  std::vector<std::string> others;  ///< values of the other axes, in order
  std::string from, to;
  MeanInterval difference;  ///< accuracy(to) - accuracy(from), over chips
};

struct SweepResult {
  std::string name, resolved_yaml, hash, version;
  SettingsMap axes;
  std::string compare_axis;
  std::vector<Point> points;  ///< row-major over the axes, the last one fastest
  std::vector<PairedDifference> paired;
  std::vector<std::size_t> shape() const;
  /// Which axis has this name; the number of axes where none has.
  std::size_t axis_index(const std::string& wanted) const;
  /// Values of the axes at point `index`.
  std::vector<std::string> values(std::size_t index) const;
  std::vector<const Point*> point_list() const;
};

/// The experiments of all points, in the order of the grid; `overrides` come on top, but not in place of an axis.
/// Throws ConfigError and InputError.
std::vector<sim::ExperimentConfig> sweep_experiments(const std::filesystem::path& file, const Overrides& overrides);

/// Runs all points; those without a result are rows, not deaths. All configurations are read before the first runs.
/// `overrides` as above. Throws ConfigError, and InputError where the input of all points is wrong. The same for any
/// number of threads.
SweepResult run_sweep(const std::filesystem::path& file, const Overrides& overrides, sim::Session& session,
                      const Progress& progress = {});

/// Where point `index` of the grid stands on each axis, the last axis fastest.
std::vector<std::size_t> positions(const SettingsMap& axes, std::size_t index);

/// Pairs the first value of the compared axis with each later one; leaves out what was refused or has other numbers of
/// chips.
std::vector<PairedDifference> paired_differences(const SweepResult& result);

}  // namespace tellegen::report
