#pragma once
// A crossbar of capacitors (FeCAP cells, for one), read by charge: what every charge solver is given.
//
//   cell (i,j): C_ij between row i and column j;  row i: C_i to ground;  column j: C_j to ground, C_n to column j + 1
//
// Wires and switches are taken as settled: between two phases charge moves, at the end of a phase nothing does. There
// is no static sneak current, but lines that float share charge with everything that they touch.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

struct ChargeArray {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> cell_F;    ///< [rows][columns]
  std::vector<double> row_F;     ///< to ground, [rows]; empty: 0 F
  std::vector<double> column_F;  ///< to ground, wire and amplifier input, [columns]; empty: 0 F
  double neighbour_F = 0;        ///< between columns that lie side by side

  double cell(std::int64_t i, std::int64_t j) const { return cell_F[static_cast<std::size_t>(i * columns + j)]; }
  double row_to_ground(std::int64_t i) const { return row_F.empty() ? 0 : row_F[static_cast<std::size_t>(i)]; }
  double column_to_ground(std::int64_t j) const { return column_F.empty() ? 0 : column_F[static_cast<std::size_t>(j)]; }
};

/// Throws InputError, naming the place: no rows or columns, a capacitance that is negative or not finite, a list of the
/// wrong length.
void check(const ChargeArray& array);

/// Throws InputError for states that are not one per row; empty: all rows driven.
void check_row_states(const ChargeArray& array, std::span<const RowState> row_state);

/// sum_i C_ij + C_j [F], [columns]: what a charge of the column is divided by. It depends on what is stored: columns
/// that are to compute plain products need equal sums (complementary cells) or are multiplied by this afterwards.
std::vector<double> column_totals_F(const ChargeArray& array);

/// The transistor that resets a column.
struct ResetSwitch {
  double width_m = 0;
  double length_m = 0;
  double oxide_F_per_m2 = 0;
  double gate_V = 0;
  double threshold_V = 0;
};

/// What the switch leaves on a column at `node_V` when it opens [C]: half of its channel charge. Depends on the signal;
/// 0 where there is no channel.
double injected_charge_C(const ResetSwitch& reset, double node_V);

}  // namespace tellegen::circuits
