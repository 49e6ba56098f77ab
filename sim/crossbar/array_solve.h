#pragma once
// Solves an array with the solver that a cost model, or the user, picks.

#include <optional>
#include <string>
#include <vector>

#include "tellegen/circuits/crossbar/nodal_solution.h"
#include "tellegen/sim/crossbar/array_file.h"

namespace tellegen::array {

/// transfer: outputs from T, power from Y. line: conjugate gradients, vector by vector. reference: sparse LDLT. Cells
/// that are not linear are solved by Newton's method whatever is asked.
enum class Solver { automatic, reference, transfer, line };

struct SolveRequest {
  Solver solver = Solver::automatic;
  double tolerance = 1e-12;  ///< of the outputs, relative to the largest one of their vector
  bool nodes = false;        ///< node voltages too
  bool transfer = false;     ///< T and Y too; only for linear cells
};

/// One input vector.
struct ArrayResult {
  std::vector<double> output_A;  ///< [columns]
  double source_W = 0;
  std::optional<double> dissipated_W;  ///< not known where only ports were solved
  std::optional<double> bound_A;       ///< error of the outputs, where the solver knows it
  circuits::NodalSolution nodes;       ///< empty unless asked for
};

struct ArraySolution {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<ArrayResult> vectors;
  std::vector<double> transfer_S;          ///< T [columns][rows]; empty unless asked for
  std::vector<double> input_admittance_S;  ///< Y [rows][rows]
  std::vector<std::string> log;            ///< which solver and why, warnings; full sentences
  std::optional<double>
      expected_difference;  ///< largest difference from the file's own outputs, in parts of the largest
};

/// Throws InputError (circuit values that make no sense, no input vectors) and RefusedError (no convergence).
ArraySolution solve_array(const ArrayFile& file, const SolveRequest& request);

}  // namespace tellegen::array
