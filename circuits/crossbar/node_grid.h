#pragma once
// Numbers for the nodes of a crossbar, terminals included, with wires of zero resistance merged into one node.

#include <cstdint>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// Cells (i, j) with first_row <= i < last_row, first_column <= j < last_column.
struct Rectangle {
  std::int64_t first_row = 0;
  std::int64_t last_row = 0;
  std::int64_t first_column = 0;
  std::int64_t last_column = 0;
  std::int64_t height() const { return last_row - first_row; }
  std::int64_t width() const { return last_column - first_column; }
};

/// Grid positions: row(i, j) for j = -1 .. C, where -1 and C are the left and right driver; column(i, j) for i = -1 ..
/// R, where -1 and R are the top and bottom sense end. Positions joined by a segment of zero resistance are one node.
class NodeGrid {
 public:
  explicit NodeGrid(const Segments& segments);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t positions() const { return row_positions_ + (rows_ + 2) * columns_; }
  /// Ascending along a vertical cut through the array, then along a horizontal one: the border of a rectangle is a few
  /// runs.
  std::int64_t row_position(std::int64_t i, std::int64_t j) const { return (j + 1) * rows_ + i; }
  std::int64_t column_position(std::int64_t i, std::int64_t j) const { return row_positions_ + (i + 1) * columns_ + j; }

  /// True where at least two positions are one node.
  bool merged() const { return !node_.empty(); }
  /// The node of a position: the terminal of a merged wire where it has one.
  std::int64_t node(std::int64_t position) const {
    return node_.empty() ? position : node_[static_cast<std::size_t>(position)];
  }
  std::int64_t row(std::int64_t i, std::int64_t j) const { return node(row_position(i, j)); }
  std::int64_t column(std::int64_t i, std::int64_t j) const { return node(column_position(i, j)); }
  /// True for positions outside the array: drivers and sense ends.
  bool is_terminal(std::int64_t position) const;
  /// For a terminal: the row that it drives or the column that it senses.
  bool is_row(std::int64_t position) const { return position < row_positions_; }
  std::int64_t line(std::int64_t position) const {
    return is_row(position) ? position % rows_ : (position - row_positions_) % columns_;
  }
  /// True where everything that a node is connected to lies in `rectangle`, when cell (i, j) owns the row segment on
  /// its left and the column segment below it (cells at the right and top edge also those beyond them). Never for
  /// terminals.
  bool is_inside(std::int64_t node, const Rectangle& rectangle) const;

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t row_positions_;
  std::vector<std::int64_t> node_;  ///< by position; empty: each position is a node
  std::vector<std::int64_t> last_;  ///< by node: the last position of a merged wire
};

}  // namespace tellegen::circuits
