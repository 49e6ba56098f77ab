#pragma once
// One's own array once more, solved by ngspice: netlists, and how far both answers are apart.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/circuits/spice/deck.h"
#include "tellegen/sim/crossbar/array_file.h"
#include "tellegen/sim/crossbar/charge_file.h"

namespace tellegen::array {

/// One input vector.
struct SpiceVector {
  std::int64_t number = 0;  ///< in the file
  circuits::Deck deck;
  std::vector<double> ours;                    ///< [columns]
  std::optional<std::vector<double>> ngspice;  ///< empty where no ngspice was found
  std::optional<double> difference;            ///< largest, in parts of the largest output
  double ngspice_s = 0;                        ///< wall time, program start included
};

struct SpiceCheck {
  std::string array;  ///< "16 x 16 cells, sinh"
  std::string unit;   ///< of the outputs
  std::vector<SpiceVector> vectors;
  std::optional<double> largest_difference() const;
};

/// Resistive arrays: outputs in A, from T for linear cells, from Newton's method for others. `only`: one vector of the
/// file, by number. Throws InputError (circuit values that make no sense, no such vector, no vectors at all),
/// RefusedError (no convergence), std::runtime_error with the words of ngspice where it fails.
SpiceCheck check_with_ngspice(const ArrayFile& file, std::optional<std::int64_t> only,
                              const std::filesystem::path& folder);
/// Arrays of capacitors: outputs in V, from the matrix of the read.
SpiceCheck check_with_ngspice(const ChargeFile& file, std::optional<std::int64_t> only,
                              const std::filesystem::path& folder);

/// Writes vector0.cir, ... and spice.json (both answers, the differences) into `folder`; answers their names. Throws
/// InputError.
std::vector<std::string> write_spice_check(const SpiceCheck& check, const std::filesystem::path& folder);

/// A table, and the largest difference or what to install.
std::string spice_check_text(const SpiceCheck& check);

}  // namespace tellegen::array
