#include "tellegen/circuits/crossbar/leaf_structure.h"

#include <algorithm>
#include <compare>
#include <limits>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

struct LeafBranch {
  std::int64_t a;  ///< position
  std::int64_t b;
  ConductanceSource source;
  std::int64_t offset;
};

/// A node and one of the positions that are this node.
struct Named {
  std::int64_t node;
  std::int64_t position;
  auto operator<=>(const Named&) const = default;
};

/// Every branch that the cells of a rectangle own, except those whose two ends are one node.
std::vector<LeafBranch> branches_of(const NodeGrid& grid, const Wires& wires, const Rectangle& r) {
  std::vector<LeafBranch> out;
  const auto add = [&](std::int64_t a, std::int64_t b, ConductanceSource source, std::int64_t offset) {
    if (grid.node(a) != grid.node(b)) out.push_back({a, b, source, offset});
  };
  const std::int64_t rows = grid.rows();
  const std::int64_t columns = grid.columns();
  const auto row_segment = [&](std::int64_t i, std::int64_t s) {
    add(grid.row_position(i, s - 1), grid.row_position(i, s), ConductanceSource::row_segment,
        (i - r.first_row) * (columns + 1) + s - r.first_column);
  };
  const auto column_segment = [&](std::int64_t s, std::int64_t j) {
    add(grid.column_position(s - 1, j), grid.column_position(s, j), ConductanceSource::column_segment,
        (s - r.first_row) * columns + j - r.first_column);
  };
  for (std::int64_t i = r.first_row; i < r.last_row; ++i) {
    for (std::int64_t j = r.first_column; j < r.last_column; ++j) {
      add(grid.row_position(i, j), grid.column_position(i, j), ConductanceSource::cell,
          (i - r.first_row) * columns + j - r.first_column);
      row_segment(i, j);
      if (j == columns - 1 && wires.drive == Drive::both_sides) row_segment(i, columns);
      if (i + 1 < rows || wires.sensed_at_bottom(j)) column_segment(i + 1, j);
      if (i == 0 && wires.sensed_at_top(j)) column_segment(0, j);
    }
  }
  return out;
}

/// Nested dissection: the nodes inside the halves first, then those of the cut.
void order(const NodeGrid& grid, const Rectangle& rectangle, const std::vector<std::int64_t>& nodes,
           std::vector<std::int64_t>& out) {
  if (rectangle.height() * rectangle.width() == 1) {
    out.insert(out.end(), nodes.begin(), nodes.end());
    return;
  }
  const Halves halves = halved(rectangle);
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  std::vector<std::int64_t> cut;
  for (const std::int64_t node : nodes) {
    (grid.is_inside(node, halves.first) ? first : grid.is_inside(node, halves.second) ? second : cut).push_back(node);
  }
  order(grid, halves.first, first, out);
  order(grid, halves.second, second, out);
  out.insert(out.end(), cut.begin(), cut.end());
}

/// Gives every pair of nodes that gets a conductance a place. Nodes are numbered in the order of elimination.
class Places {
 public:
  explicit Places(std::size_t nodes) : nodes_(nodes), place_(nodes * nodes, -1) {}
  /// Places of the pairs of `node` with later ones, by number of the later one; -1: none yet.
  std::int32_t* of(std::size_t node) { return place_.data() + node * nodes_; }
  std::int32_t given(std::int32_t& place) {
    if (place < 0) place = count_++;
    return place;
  }
  std::int32_t count() const { return count_; }

 private:
  std::size_t nodes_;
  std::vector<std::int32_t> place_;
  std::int32_t count_ = 0;
};

void write_eliminations(LeafProgram& program, Places& places, std::size_t eliminated, std::size_t nodes) {
  std::vector<std::size_t> neighbours;
  for (std::size_t k = 0; k < eliminated; ++k) {
    neighbours.clear();
    const std::int32_t* star = places.of(k);
    for (std::size_t a = k + 1; a < nodes; ++a) {
      if (star[a] >= 0) neighbours.push_back(a);
    }
    const std::size_t n = neighbours.size();
    const std::size_t pairs = n > 0 ? n * (n - 1) / 2 : 0;
    const std::size_t written = program.eliminations.size();
    program.eliminations.resize(written + 1 + n + pairs);
    std::uint16_t* next = program.eliminations.data() + written;
    *next++ = static_cast<std::uint16_t>(n);
    program.stars.push_back({static_cast<std::int64_t>(written + 1),
                             static_cast<std::int64_t>(program.neighbours.size()), static_cast<std::int64_t>(n)});
    for (const std::size_t a : neighbours) {
      *next++ = static_cast<std::uint16_t>(star[a]);
      program.neighbours.push_back(static_cast<std::uint16_t>(a));
    }
    for (std::size_t b = 0; b < n; ++b) {
      std::int32_t* mesh = places.of(neighbours[b]);
      for (std::size_t a = b + 1; a < n; ++a) *next++ = static_cast<std::uint16_t>(places.given(mesh[neighbours[a]]));
    }
    program.operations += static_cast<std::int64_t>(2 * n + 1 + 2 * pairs);
  }
}

}  // namespace

Halves halved(const Rectangle& rectangle) {
  Halves out{rectangle, rectangle};
  if (rectangle.width() >= rectangle.height()) {
    out.first.last_column = out.second.first_column = rectangle.first_column + rectangle.width() / 2;
  } else {
    out.first.last_row = out.second.first_row = rectangle.first_row + rectangle.height() / 2;
  }
  return out;
}

LeafStructure::LeafStructure(const NodeGrid& grid, const Wires& wires, const Rectangle& rectangle)
    : rectangle_(rectangle) {
  const std::vector<LeafBranch> branches = branches_of(grid, wires, rectangle);
  std::vector<Named> named;
  for (const LeafBranch& branch : branches) {
    for (const std::int64_t position : {branch.a, branch.b}) named.push_back({grid.node(position), position});
  }
  std::sort(named.begin(), named.end());
  std::vector<std::int64_t> all;
  std::vector<std::int64_t> inner;
  std::vector<std::int64_t> border;
  for (const Named& each : named) {
    if (!all.empty() && all.back() == each.node) continue;
    all.push_back(each.node);
    if (grid.is_inside(each.node, rectangle)) {
      inner.push_back(each.node);
    } else {
      border.push_back(each.node);
      kept_.push_back(each.position);
    }
  }
  std::vector<std::int64_t> ordered;
  order(grid, rectangle, inner, ordered);
  ordered.insert(ordered.end(), border.begin(), border.end());

  std::vector<std::size_t> rank(all.size());  // by place in `all`
  for (std::size_t k = 0; k < ordered.size(); ++k) {
    rank[static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), ordered[k]) - all.begin())] = k;
  }
  const auto rank_of = [&](std::int64_t position) {
    const std::int64_t node = grid.node(position);
    return rank[static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), node) - all.begin())];
  };
  for (std::int64_t i = rectangle.first_row; i < rectangle.last_row; ++i) {
    for (std::int64_t j = rectangle.first_column; j < rectangle.last_column; ++j) {
      row_node_.push_back(rank_of(grid.row_position(i, j)));
      column_node_.push_back(rank_of(grid.column_position(i, j)));
    }
  }
  Places places(all.size());
  for (const LeafBranch& branch : branches) {
    const auto [first, last] = std::minmax({rank_of(branch.a), rank_of(branch.b)});
    program_.stamps.push_back(
        {places.given(places.of(first)[last]), static_cast<std::int32_t>(branch.source), branch.offset});
  }
  write_eliminations(program_, places, inner.size(), all.size());
  for (std::size_t q = inner.size(); q < all.size(); ++q) {
    program_.kept.insert(program_.kept.end(), places.of(q) + q + 1, places.of(q) + all.size());
  }
  program_.kept_nodes = static_cast<std::int64_t>(kept_.size());
  program_.places = places.count();
  TELLEGEN_ASSERT(program_.places <= std::numeric_limits<std::uint16_t>::max());
}

std::vector<std::int64_t> LeafStructure::kept(const NodeGrid& grid, const Rectangle& leaf) const {
  const std::int64_t down = leaf.first_row - rectangle_.first_row;
  const std::int64_t right = leaf.first_column - rectangle_.first_column;
  const std::int64_t row_shift = grid.row_position(down, right) - grid.row_position(0, 0);
  const std::int64_t column_shift = grid.column_position(down, right) - grid.column_position(0, 0);
  std::vector<std::int64_t> out;
  out.reserve(kept_.size());
  for (const std::int64_t position : kept_) {
    out.push_back(grid.node(position + (grid.is_row(position) ? row_shift : column_shift)));
  }
  return out;
}

}  // namespace tellegen::circuits
