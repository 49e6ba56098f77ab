#pragma once
// A sweep as a table, as CSV and as one HDF5 file.
//
//   attributes    source, config (resolved YAML), config_hash, version, unit of every dataset
//   /axes/order   names of the axes; /axes/NAME their values as text
//   /points       accuracy_mean, accuracy_deviation, accuracy_half_width, float_accuracy, energy, energy_low,
//   energy_high, area,
//                 area_low, area_high, latency: shaped as the axes, NaN where refused; chip_accuracy has the chips as
//                 last dimension; refusal and config_hash: texts, row-major
//   /paired       from, to, difference, deviation, half_width, and the values of the other axes

#include <filesystem>
#include <string>

#include "tellegen/sim/report/sweep.h"

namespace tellegen::report {

/// Names of the axes for people: the last two parts of a setting, the last one where an axis changes several; whole
/// where two axes would be called alike.
std::vector<std::string> short_names(const SettingsMap& axes);
/// Values of the axes at point `index` for people: an experiment by its name, not by its path.
std::vector<std::string> shown_values(const SweepResult& result, std::size_t index);

/// One row per point, and the paired differences below.
std::string sweep_table(const SweepResult& result);
std::string sweep_csv(const SweepResult& result);
/// Writes sweep.h5 and sweep.csv into `folder`, both or none. Throws InputError.
void write_sweep_output(const std::filesystem::path& folder, const SweepResult& result);

}  // namespace tellegen::report
