#pragma once
// The plan as a table, as CSV and as JSON: which slice of which layer lies on which tile, and how each activation
// crosses to what reads it.

#include <filesystem>
#include <string>

#include "tellegen/sim/engine/run.h"
#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// One row per layer: tiles, utilisation, products for one input, converters in use. Below it the work for one input (work_table.h), and one row
/// per activation and reader.
std::string map_table(const sim::RunResult& planned);
/// One row per slice.
std::string map_csv(const sim::RunResult& planned);
/// Slices and boundaries.
std::string map_json(const sim::RunResult& planned);
/// Writes plan.csv, plan.json and boundaries.csv into `folder`, all or none. Throws InputError.
void write_map_output(const std::filesystem::path& folder, const sim::RunResult& planned);

/// The same, and energy.json and layers.csv of Session::expect.
void write_map_output(const std::filesystem::path& folder, const sim::RunResult& expected, const Report& report);

}  // namespace tellegen::report
