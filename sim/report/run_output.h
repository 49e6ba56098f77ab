#pragma once
// A run's files.

#include <filesystem>

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// Writes run.h5, report.json and layers.csv into `folder`: all of them or none. Throws InputError.
void write_run_output(const std::filesystem::path& folder, const sim::RunResult& result, const Report& report);

}  // namespace tellegen::report
