#include "tellegen/circuits/crossbar/node_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tellegen::circuits {
namespace {

/// Merges the positions first, first + stride, ... of one wire wherever segment_S(s), which joins number s and s + 1,
/// is infinite.
template <class Segment>
void merge_wire(std::vector<std::int64_t>& node, std::vector<std::int64_t>& last, std::int64_t first,
                std::int64_t stride, std::int64_t count, const Segment& segment_S) {
  std::int64_t start = 0;
  for (std::int64_t s = 0; s < count; ++s) {
    if (s + 1 < count && std::isinf(segment_S(s))) continue;
    // A run reaches from `start` to s. Its name is the terminal at one of its ends, or its first position.
    const std::int64_t name = start > 0 && s == count - 1 ? s : start;
    for (std::int64_t k = start; k <= s; ++k)
      node[static_cast<std::size_t>(first + k * stride)] = first + name * stride;
    last[static_cast<std::size_t>(first + name * stride)] = first + s * stride;
    start = s + 1;
  }
}

}  // namespace

NodeGrid::NodeGrid(const Segments& segments)
    : rows_(segments.rows), columns_(segments.columns), row_positions_(segments.rows * (segments.columns + 2)) {
  const auto infinite = [](double g_S) { return std::isinf(g_S); };
  if (std::none_of(segments.row_S.begin(), segments.row_S.end(), infinite) &&
      std::none_of(segments.column_S.begin(), segments.column_S.end(), infinite)) {
    return;
  }
  node_.resize(static_cast<std::size_t>(positions()));
  std::iota(node_.begin(), node_.end(), std::int64_t{0});
  last_ = node_;
  for (std::int64_t i = 0; i < rows_; ++i) {
    merge_wire(node_, last_, row_position(i, -1), rows_, columns_ + 2,
               [&](std::int64_t s) { return segments.row(i, s); });
  }
  for (std::int64_t j = 0; j < columns_; ++j) {
    merge_wire(node_, last_, column_position(-1, j), columns_, rows_ + 2,
               [&](std::int64_t s) { return segments.column(s, j); });
  }
}

bool NodeGrid::is_terminal(std::int64_t position) const {
  if (is_row(position)) return position < rows_ || position >= row_positions_ - rows_;
  return position < row_positions_ + columns_ || position >= positions() - columns_;
}

bool NodeGrid::is_inside(std::int64_t node, const Rectangle& rectangle) const {
  if (is_terminal(node)) return false;
  const std::int64_t last = last_.empty() ? node : last_[static_cast<std::size_t>(node)];
  if (is_row(node)) {
    const std::int64_t i = node % rows_;
    const std::int64_t first_j = node / rows_ - 1;
    const std::int64_t last_j = std::min(last / rows_, columns_ - 1);  // its right segment belongs to the next cell
    return i >= rectangle.first_row && i < rectangle.last_row && first_j >= rectangle.first_column &&
           last_j < rectangle.last_column;
  }
  const std::int64_t j = (node - row_positions_) % columns_;
  const std::int64_t first_i =
      std::max((node - row_positions_) / columns_ - 2, std::int64_t{0});  // so does the one above
  const std::int64_t last_i = std::min((last - row_positions_) / columns_ - 1, rows_ - 1);
  return j >= rectangle.first_column && j < rectangle.last_column && first_i >= rectangle.first_row &&
         last_i < rectangle.last_row;
}

}  // namespace tellegen::circuits
