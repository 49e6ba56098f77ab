#pragma once
// The resistive network of a crossbar as a list of two-terminal elements between numbered nodes: for equations that are
// written once, without the structure of the array, and for netlists.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/node_grid.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// A conductance between two different nodes of a grid.
struct Branch {
  std::int64_t a = 0;
  std::int64_t b = 0;
  double g_S = 0;
};

/// Wire segments with a finite resistance; those without one are merged in the grid, broken ones left out.
std::vector<Branch> wire_branches(const NodeGrid& grid, const Segments& segments);
/// Cells that conduct, row node first. `branch_S`: what branch_conductances gives.
std::vector<Branch> cell_branches(const NodeGrid& grid, std::span<const double> branch_S);

/// By position of the grid: true for nodes that are connected to no driver and no sense end.
std::vector<bool> isolated_nodes(const NodeGrid& grid, const Segments& segments, std::span<const double> branch_S,
                                 const Wires& wires);

}  // namespace tellegen::circuits
