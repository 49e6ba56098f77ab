#pragma once
// One configuration, run: what sweeps and comparisons keep of it.

#include <map>
#include <string>
#include <vector>

#include "tellegen/base/statistics.h"
#include "tellegen/circuits/cost/price.h"
#include "tellegen/sim/engine/run.h"

namespace tellegen::report {

struct Point {
  std::string refusal;  ///< why it could not be done; "" where it ran, and everything below is then set
  std::string config_hash;
  double float_accuracy = 0;
  MeanInterval accuracy;              ///< over chips
  std::vector<double> chip_accuracy;  ///< [chips]
  circuits::Band energy_J, area_m2;   ///< per image; of the chip
  double latency_s = 0;
  std::map<std::string, circuits::Band> component_energy_J, component_area_m2;
  std::vector<std::string> warnings;
  bool done() const { return refusal.empty(); }
};

/// A refusal is an answer (Point::refusal); InputError and ConfigError are thrown.
Point run_point(sim::Session& session, const sim::ExperimentConfig& config, const Progress& progress = {});

/// Settings as `name: value` of a mapping, for example {chip.adc.bits: 6}: each with exactly one value.
using SettingsMap = std::vector<std::pair<std::string, std::vector<std::string>>>;
Overrides to_overrides(const SettingsMap& settings);
/// For require(): whether each name has exactly one value.
bool single_values(const SettingsMap& settings);

/// `total` steps of `points` runs as one bar: the progress of run number `index`.
Progress part_of(const Progress& whole, std::size_t index, std::size_t points);

/// `path` as named in `file`; InputError where there is no such file.
std::filesystem::path input_beside(const std::filesystem::path& path, const std::filesystem::path& file,
                                   const std::string& setting);

}  // namespace tellegen::report
