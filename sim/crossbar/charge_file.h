#pragma once
// A crossbar of capacitors, from a JSON or YAML file. Numbers are SI units.
//
//   rows, cols                       size
//   C_matrix                         [[...]] capacitances of the cells
//   C_row, C_column                  [...] to ground, 0 where left out
//   C_neighbour                      between columns side by side, 0 where left out
//   V_vectors                        input vectors
//   row_state [driven | floating | grounded]
//   amplifier {feedback, gain}       a charge amplifier on every column; without gain: an ideal one
//   reset {width, length, oxide, gate, threshold}   the transistor that resets a column, injects charge when it opens
//   temperature                      of the noise that resetting leaves, 300 where left out

#include <filesystem>
#include <optional>
#include <vector>

#include "tellegen/circuits/crossbar/charge_transfer.h"

namespace tellegen::array {

struct ChargeFile {
  circuits::ChargeArray array;
  std::vector<circuits::RowState> row_state;  ///< empty: all driven
  std::optional<circuits::ChargeAmplifier> amplifier;
  std::optional<circuits::ResetSwitch> reset;
  double temperature_K = 300;
  std::vector<std::vector<double>> input_V;  ///< per vector [rows]
};

/// True for a JSON or YAML file whose top level has a C_matrix. Throws InputError where the file cannot be read.
bool is_charge_file(const std::filesystem::path& file);

/// Throws InputError with file, place, what was found and what is allowed.
ChargeFile read_charge_file(const std::filesystem::path& file);

}  // namespace tellegen::array
