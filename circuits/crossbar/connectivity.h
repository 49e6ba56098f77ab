#pragma once
// Which nodes of a crossbar hang in the air, and which outputs no driver reaches: open cells and broken wires do that.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// A node of the array: w(row, column) on the row wire, b(row, column) on the column wire.
struct NodeName {
  Line line = Line::row;
  std::int64_t row = 0;
  std::int64_t column = 0;
};
/// "w(2,3)", "b(0,1)".
std::string to_string(const NodeName& node);

struct Connectivity {
  std::vector<NodeName> isolated;             ///< connected to no driver and no sense end; solvers leave them out
  std::vector<std::int64_t> cut_off_outputs;  ///< columns without a path to a driven row: 0 A
};

Connectivity connectivity(const Segments& segments, std::span<const double> branch_S, const Wires& wires);

/// One full sentence for the isolated nodes and one for the cut-off outputs; empty where there are none.
std::vector<std::string> warnings(const Connectivity& connectivity);

}  // namespace tellegen::circuits
