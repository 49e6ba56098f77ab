#pragma once
// Solved arrays as files and as text.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/crossbar/array_solve.h"

namespace tellegen::array {

/// Throws InputError unless the name ends in .json, .csv, .h5 or .hdf5: to be asked before the work starts.
void check_result_name(const std::filesystem::path& file);

/// By the end of the name. JSON and HDF5 hold everything in one file; CSV has one file per kind beside `file`:
/// NAME.csv (currents, one line per vector), NAME.energy.csv, NAME.nodes.csv, NAME.transfer.csv. Answers the files that
/// were written. Throws InputError.
std::vector<std::filesystem::path> write_results(const std::filesystem::path& file, const ArraySolution& solution);

/// The log, one line per input vector, and the comparison.
std::string results_text(const ArraySolution& solution);

}  // namespace tellegen::array
