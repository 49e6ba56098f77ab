#pragma once
// One's own array, from a file: conductances, and as much of wires, cell law and input voltages as the file tells.
//
// .json  keys: rows, cols, G_matrix or G {gen, seed, lo, hi}, faults, V_vectors or V and nvec, r_row, r_col, r_source,
//        r_sense, r_access, drive, sense, device, a, access_transistor, row_state, broken, I_exact; see array_json.cpp
// .yaml  the same keys
// .csv   one line per row of the array, conductances in siemens
// .h5    datasets `conductance` [rows][columns] and, if there, `voltage` [vectors][rows]

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"
#include "tellegen/devices/cell_law.h"
#include "tellegen/devices/mosfet/mosfet_card.h"

namespace tellegen::array {

/// An n-channel transistor between every cell and its column, gate on.
struct AccessTransistor {
  devices::MosfetConfig mosfet;
  double gate_V = 0;
  double temperature_K = 300;
};

struct ArrayFile {
  circuits::Wires wires;
  std::vector<double> cell_S;                   ///< [rows][columns]
  devices::CellLaw law;                         ///< OhmicLaw: the circuit is linear, unless there is a transistor
  std::optional<AccessTransistor> transistor;   ///< in series with every cell
  std::vector<std::vector<double>> input_V;     ///< per vector [rows]; may be empty
  std::vector<std::vector<double>> expected_A;  ///< per vector [columns]: what the file says is right; may be empty
};

/// By the end of the name. Throws InputError with file, place, what was found and what is allowed.
ArrayFile read_array_file(const std::filesystem::path& file);

/// Input vectors from a CSV file: one line per vector, in volts. Throws InputError.
std::vector<std::vector<double>> read_voltages(const std::filesystem::path& file, std::int64_t rows);

}  // namespace tellegen::array
