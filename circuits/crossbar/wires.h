#pragma once
// A crossbar as a circuit: its wires, drivers and sense ends. This is what every circuit-level solver is given.
//
//   row i:     V_i -[driver + row]- w(i,0) -[row]- w(i,1) ... w(i,C-1)   (drive both_sides: -[row + driver]- V_i again)
//   column j:  b(0,j) -[column]- b(1,j) ... b(R-1,j) -[column + sense]- 0 V
//   cell:      w(i,j) -[cell + access]- b(i,j)
//
// So a row has one segment per column when driven from the left and one more when driven from both sides; a column has
// one segment per row, one more when sensed at both ends. The output I_j is the current into 0 V, both ends added up.
// Segment s of row i joins w(i,s-1) and w(i,s); w(i,-1) and w(i,C) are the left and right driver. Segment s of column j
// joins b(s-1,j) and b(s,j); b(-1,j) and b(R,j) are the top and bottom sense end. The outermost segments carry driver
// and sense resistance in series. Which columns form a positive and a negative pair does not matter to the circuit.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tellegen::circuits {

enum class Drive { one_side, both_sides };           ///< left, or left and right by the same voltage
enum class Sense { one_end, both_ends, alternate };  ///< bottom; both; even columns at the bottom, odd ones at the top
/// What the driver of a row does: applies V_i, is disconnected, or holds 0 V whatever V_i is.
enum class RowState : std::uint8_t { driven, floating, grounded };
enum class Line { row, column };

/// An open wire: segment `segment` of row or column number `index` (numbers as above).
struct BrokenSegment {
  Line line = Line::row;
  std::int64_t index = 0;
  std::int64_t segment = 0;
};

/// Resistances may be 0 (below 1e-30 ohm): the nodes at both ends are then one node.
struct Wires {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  double row_segment_ohm = 0;
  double column_segment_ohm = 0;
  double driver_ohm = 0;
  double sense_ohm = 0;   ///< from the end of the column wire to 0 V: switch, and input impedance of the amplifier
  double access_ohm = 0;  ///< on-resistance of the access transistor, in series with every cell
  Drive drive = Drive::one_side;
  Sense sense = Sense::one_end;
  std::vector<RowState> row_state;  ///< one per row; empty: all driven
  std::vector<BrokenSegment> broken;

  RowState state(std::int64_t row) const {
    return row_state.empty() ? RowState::driven : row_state[static_cast<std::size_t>(row)];
  }
  bool sensed_at_top(std::int64_t column) const {
    return sense == Sense::both_ends || (sense == Sense::alternate && column % 2 == 1);
  }
  bool sensed_at_bottom(std::int64_t column) const {
    return sense == Sense::both_ends || sense == Sense::one_end || column % 2 == 0;
  }
};

/// Throws InputError, naming the setting: no rows or columns, a resistance that is negative or not a number, a
/// row_state of the wrong length, a broken segment that does not exist.
void check(const Wires& wires);

/// Conductance of each wire segment [S]: 0 where broken, not there or of a floating row; infinity where the resistance
/// is 0.
struct Segments {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> row_S;     ///< [rows][columns + 1]
  std::vector<double> column_S;  ///< [rows + 1][columns]

  double row(std::int64_t i, std::int64_t segment) const {
    return row_S[static_cast<std::size_t>(i * (columns + 1) + segment)];
  }
  double column(std::int64_t segment, std::int64_t j) const {
    return column_S[static_cast<std::size_t>(segment * columns + j)];
  }
};

/// Checks the wires, then lists their segments.
Segments segments_of(const Wires& wires);

/// Conductance between w(i,j) and b(i,j) [S], [rows][columns], access resistance included. `cell_S` [rows][columns]: 0
/// is an open cell; a shorted cell is the conductance of the short, infinity only where the access resistance is above
/// 0. Throws InputError for a value that is negative, not a number, or a short of zero resistance; names the cell.
std::vector<double> branch_conductances(const Wires& wires, std::span<const double> cell_S);

/// The same for one cell.
double branch_conductance(const Wires& wires, std::int64_t row, std::int64_t column, double cell_S);

/// The voltages that the drivers apply [V]: `input_V`, 0 for rows that are grounded or floating. Throws InputError for
/// the wrong number of values and for one that is not finite; names the row.
std::vector<double> applied_voltages(const Wires& wires, std::span<const double> input_V);

}  // namespace tellegen::circuits
