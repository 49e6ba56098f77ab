#pragma once
// Where the power of an operating point goes.

#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/nodal_solution.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// Dissipation of every branch [W]. Shapes as in Segments and NodalSolution; the outermost segments include driver and
/// sense resistance, cells their access transistor.
struct BranchPower {
  std::vector<double> cell_W;            ///< [rows][columns]
  std::vector<double> row_segment_W;     ///< [rows][columns + 1]
  std::vector<double> column_segment_W;  ///< [rows + 1][columns]

  double cells_W() const;
  double row_wires_W() const;
  double column_wires_W() const;
};

/// `applied_V` [rows]: what applied_voltages gives.
BranchPower branch_power(const NodalSolution& solution, const Segments& segments, std::span<const double> applied_V);

/// What the sources give and what the branches take: equal to rounding, by Tellegen's theorem, for any law of the
/// cells, provided that the currents balance at every node. A solution that fails this is wrong.
struct PowerBalance {
  double source_W = 0;
  double dissipated_W = 0;
  /// |source - dissipated| in parts of the larger; 0 where both are 0.
  double relative_difference() const;
};
PowerBalance power_balance(const NodalSolution& solution, const BranchPower& power);

}  // namespace tellegen::circuits
