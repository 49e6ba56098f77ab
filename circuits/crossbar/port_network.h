#pragma once
// An array seen from its drivers and sense ends only: everything inside is eliminated. Exact for linear cells.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// A driver (of a row) or a sense end (of a column); a wire may have one at each end.
struct Port {
  Line line = Line::row;
  std::int64_t index = 0;
};

/// Conductances between all ports. Rows that are grounded count as 0 V inputs.
class PortNetwork {
 public:
  /// `between_S` [ports][ports]: entry q * ports + p with p > q, the conductance between ports p and q; nothing else is
  /// read.
  PortNetwork(const Wires& wires, std::vector<Port> ports, std::vector<double> between_S);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// T [columns][rows] [S]: outputs are T V, wires included. Columns of rows that are grounded or floating are 0.
  std::vector<double> transfer() const;
  /// Y [rows][rows] [S]: source currents are Y V, and V'YV is the power. 0 for rows that are grounded or floating.
  std::vector<double> input_admittance() const;
  /// [columns][columns] [S]: minus the current into output j per volt at output k, drivers at 0 V. Its diagonal is the
  /// driving-point conductance that sets thermal noise, 4 k T Y_jj (Nyquist).
  std::vector<double> output_admittance() const;

  /// The array with more rows disconnected from all their drivers, as by an input gate; exact, O(ports^3). `floating`
  /// [rows], non-zero for the rows to disconnect.
  PortNetwork with_floating(std::span<const std::uint8_t> floating) const;

 private:
  double between(std::size_t p, std::size_t q) const { return between_S_[q * ports_.size() + p]; }
  std::vector<double> admittance(Line line, std::int64_t count) const;
  bool is_input(const Port& port) const;

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<bool> grounded_;  ///< by row
  std::vector<Port> ports_;
  std::vector<double> between_S_;
};

}  // namespace tellegen::circuits
