#pragma once
// What every circuit-level solver of a crossbar answers with, and how currents and power follow from the node voltages.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// One operating point. Nodes that are connected to no driver and no sense end have 0 V here.
struct NodalSolution {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> row_node_V;     ///< w(i,j), [rows][columns]
  std::vector<double> column_node_V;  ///< b(i,j), [rows][columns]
  std::vector<double> cell_A;         ///< from w(i,j) to b(i,j), [rows][columns]
  std::vector<double> output_A;       ///< into 0 V, both ends added up, [columns]
  std::vector<double> source_A;       ///< out of the drivers of a row, both ends added up, [rows]
  double source_W = 0;                ///< sum of applied voltage x source current
  double dissipated_W = 0;            ///< sum over all branches; equals source_W to rounding (Tellegen)
};

/// From node voltages and cell currents (any cell law) to output and source currents and power. The current of a
/// terminal is the sum of the cells that are connected to it; power of wires comes from their voltage drops.
/// `applied_V` [rows]: what applied_voltages gives.
void complete(NodalSolution& solution, const Segments& segments, std::span<const double> applied_V);

/// The same for linear cells: cell currents first. `branch_S`: what branch_conductances gives.
void complete_linear(NodalSolution& solution, const Segments& segments, std::span<const double> branch_S,
                     std::span<const double> applied_V);

}  // namespace tellegen::circuits
