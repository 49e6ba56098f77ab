#pragma once
// The smallest rectangles of cells that an array is cut into, and the program that eliminates their inner nodes.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tellegen/circuits/crossbar/node_grid.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// The two halves of a rectangle, cut across its longer side.
struct Halves {
  Rectangle first;
  Rectangle second;
};
Halves halved(const Rectangle& rectangle);

/// The arrays of conductances that a leaf reads; offsets count from its first cell.
enum class ConductanceSource { cell, row_segment, column_segment };

/// What leaves of the same shape and place (at which edges of the array) have in common.
class LeafStructure {
 public:
  /// `rectangle`: one of those leaves.
  LeafStructure(const NodeGrid& grid, const Wires& wires, const Rectangle& rectangle);

  const LeafProgram& program() const { return program_; }
  /// The nodes that stay, ascending, of another leaf of this structure.
  std::vector<std::int64_t> kept(const NodeGrid& grid, const Rectangle& leaf) const;
  /// By cell of the leaf, row by row: the numbers in the program (eliminated nodes first, then those that stay) of its
  /// two nodes.
  const std::vector<std::size_t>& row_node() const { return row_node_; }
  const std::vector<std::size_t>& column_node() const { return column_node_; }

 private:
  Rectangle rectangle_;
  std::vector<std::int64_t> kept_;  ///< positions in rectangle_
  LeafProgram program_;
  std::vector<std::size_t> row_node_;
  std::vector<std::size_t> column_node_;
};

}  // namespace tellegen::circuits
