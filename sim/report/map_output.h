#pragma once
// The plan as a table, as CSV and as JSON: which slice of which layer lies on which tile.

#include <filesystem>
#include <string>

#include "tellegen/sim/engine/run.h"

namespace tellegen::report {

/// One row per layer: tiles, utilisation, converters in use.
std::string map_table(const sim::RunResult& planned);
/// One row per slice.
std::string map_csv(const sim::RunResult& planned);
std::string map_json(const sim::RunResult& planned);
/// Writes plan.csv and plan.json into `folder`, both or none. Throws InputError.
void write_map_output(const std::filesystem::path& folder, const sim::RunResult& planned);

}  // namespace tellegen::report
