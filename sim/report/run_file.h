#pragma once
// run.h5: everything about a run in one file.
//
//   attributes    source, seed, config (resolved YAML), version, config_hash, name, title, extent, sample; unit of every dataset
//   /layers       id, name, operation: the order of all arrays over layers
//   /log          which solvers were used and why, sentences
//   /counts/ID    one integer or real per kind of event, summed over images and chips
//   /signals      signal, error, faults [chips][layers]
//   /cells        how far cells ended from their targets [layers][levels]: count, target, mean and deviation of errors
//   /programming  pulses, reads, energy, time, cells not converged [layers]; only of devices that count pulses
//   /predictions  integers [chips][samples]; /labels [samples]; only where samples have a class
//   /accuracy     chip [chips], float: of the metric that network.metric names
//   /metrics/NAME chip [chips]; float: value, low, high; every metric of the test set
//   /ledger       energy, area, latency: the rows as columns of equal length
//   /plan         one row per slice, as columns
//   /boundaries   one row per activation and what reads it, as columns
//   /numbers      the numbers of the report, with formulas and inputs

#include <filesystem>

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// Writes `file` complete or not at all; equal results give equal bytes. Throws InputError where it cannot be written.
void write_run_file(const std::filesystem::path& file, const sim::RunResult& result, const Report& report);

/// The report of a run.h5. Throws InputError where the file is missing, not HDF5, or holds no numbers.
Report read_run_file(const std::filesystem::path& file);

}  // namespace tellegen::report
