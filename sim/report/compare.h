#pragma once
// Alternatives for the boundary of an array - ADC, digital activation, DAC - side by side, on one network.
//
//   experiment: configs/experiments/lenet_mnist.yaml
//   images: 64
//   set: {evaluate.chips: 3}                       # for all options
//   options:
//     - {name: sar 8 bit}
//     - {name: sar 6 bit, set: {chip.adc.bits: 6}}

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/report/layered_settings.h"
#include "tellegen/sim/report/point.h"

namespace tellegen::report {

struct CompareOption {
  std::string name;
  SettingsMap set;
  void settings(Settings& v);
};

struct CompareConfig {
  std::filesystem::path experiment;
  int images = 64;
  SettingsMap set;
  std::vector<CompareOption> options;
  void settings(Settings& v);
};

/// A group of ledger components that a comparison shows: the three parts of the boundary, and what is left.
struct BoundaryPart {
  std::string name;  ///< "adc", "activation", "dac", "rest"
  circuits::Band energy_J, area_m2;
};

struct ComparedOption {
  std::string name;
  Point point;
  std::vector<BoundaryPart> parts;  ///< adc (with its sample and hold), activation, dac, rest: together the whole
  /// adc, activation and dac together.
  BoundaryPart boundary() const;
};

struct CompareResult {
  std::string name, resolved_yaml, hash, version;
  int images = 0;
  std::vector<ComparedOption> options;
  std::vector<const Point*> point_list() const;
};

/// Splits a point's ledger; together the parts are its totals.
std::vector<BoundaryPart> boundary_parts(const Point& point);

/// The experiments of all options, in their order; `overrides` come on top, but not in place of what an option sets.
/// Throws ConfigError and InputError.
std::vector<sim::ExperimentConfig> compare_experiments(const std::filesystem::path& file, const Overrides& overrides);

/// Runs all options; those without a result are rows. Throws ConfigError, and InputError where the input of all options
/// is wrong.
CompareResult run_compare(const std::filesystem::path& file, const Overrides& overrides, sim::Session& session,
                          const Progress& progress = {});

}  // namespace tellegen::report
