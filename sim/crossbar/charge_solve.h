#pragma once
// Charge reads of an array of capacitors: by the matrix of the read, and once more phase by phase, which also gives
// charges and energy.

#include <string>
#include <vector>

#include "tellegen/sim/crossbar/charge_file.h"

namespace tellegen::array {

/// One input vector, read from rest.
struct ChargeResult {
  std::vector<double> output_V;  ///< [columns]: floating columns, or amplifiers
  std::vector<double> row_C;     ///< charge that the drivers deliver, 0 for floating rows, [rows]
  double source_J = 0;           ///< of drivers, and of amplifiers at their inputs
  double dissipated_J = 0;       ///< turned into heat by wires and switches
};

struct ChargeSolution {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<ChargeResult> vectors;
  std::vector<double> transfer;   ///< T [columns][rows] [V/V]; empty unless asked for
  std::vector<double> total_F;    ///< what a charge of a column is divided by where no row floats, [columns]
  std::vector<double> offset_V;   ///< what the reset switches inject, as outputs, [columns]; 0 without switches
  std::vector<double> noise_V;    ///< standard deviation of kT/C noise at the outputs, [columns]
  double largest_difference = 0;  ///< between matrix and phases, in parts of the largest output
  std::vector<std::string> log;   ///< full sentences
};

/// Throws InputError as ChargeTransfer and settle do, and where there are no input vectors.
ChargeSolution solve_charge(const ChargeFile& file, bool transfer);

}  // namespace tellegen::array
