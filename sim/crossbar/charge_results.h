#pragma once
// Charge reads as files and as text.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/crossbar/charge_solve.h"

namespace tellegen::array {

/// By the end of the name, as of write_results: JSON and HDF5 hold everything; CSV has NAME.csv (voltages, one line per
/// vector), NAME.columns.csv (capacitance, offset, noise), NAME.energy.csv and NAME.transfer.csv. Throws InputError.
std::vector<std::filesystem::path> write_results(const std::filesystem::path& file, const ChargeSolution& solution);

/// The log, one line per input vector, and how far matrix and phases are apart.
std::string results_text(const ChargeSolution& solution);

}  // namespace tellegen::array
