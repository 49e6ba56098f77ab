#include "tellegen/circuits/crossbar/connectivity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tellegen::circuits {
namespace {

/// Sets of connected pieces.
class Sets {
 public:
  std::size_t add() {
    parent_.push_back(parent_.size());
    return parent_.back();
  }
  std::size_t size() const { return parent_.size(); }
  std::size_t find(std::size_t node) {
    while (parent_[node] != node) {
      parent_[node] = parent_[parent_[node]];
      node = parent_[node];
    }
    return node;
  }
  void join(std::size_t a, std::size_t b) {
    if (parent_[a] != parent_[b]) parent_[find(a)] = find(b);
  }

 private:
  std::vector<std::size_t> parent_;
};

/// Runs of wire without a break: a whole row or column, or what is left of one. Nodes of a run are connected whatever
/// the cells are.
struct WirePieces {
  explicit WirePieces(const Segments& segments)
      : of_row_node(static_cast<std::size_t>(segments.rows * segments.columns)), of_column_node(of_row_node.size()) {
    const auto columns = static_cast<std::size_t>(segments.columns);
    std::size_t k = 0;
    for (std::int64_t i = 0; i < segments.rows; ++i) {
      for (std::int64_t j = 0; j < segments.columns; ++j, ++k) {
        of_row_node[k] = j > 0 && segments.row(i, j) > 0 ? of_row_node[k - 1] : sets.add();
        of_column_node[k] = i > 0 && segments.column(i, j) > 0 ? of_column_node[k - columns] : sets.add();
      }
    }
  }
  std::size_t count() const { return sets.size(); }

  Sets sets;
  std::vector<std::size_t> of_row_node, of_column_node;  ///< [rows][columns]
};

/// "b(0,1), b(1,1) and 14 more"
template <class Names>
std::string listed(const Names& names) {
  constexpr std::size_t shown = 5;
  const std::size_t count = std::min(shown, names.size());
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  if (names.size() > count) text += fmt::format(" and {} more", names.size() - count);
  return text;
}

}  // namespace

std::string to_string(const NodeName& node) {
  return fmt::format("{}({},{})", node.line == Line::row ? 'w' : 'b', node.row, node.column);
}

Connectivity connectivity(const Segments& segments, std::span<const double> branch_S, const Wires& wires) {
  const std::int64_t rows = segments.rows;
  const std::int64_t columns = segments.columns;
  WirePieces pieces(segments);
  for (std::size_t k = 0; k < branch_S.size(); ++k) {
    if (branch_S[k] > 0) pieces.sets.join(pieces.of_row_node[k], pieces.of_column_node[k]);
  }
  Connectivity out;
  std::vector<bool> held(pieces.count());
  std::vector<bool> driven(pieces.count());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (const std::int64_t s : {std::int64_t{0}, columns}) {
      if (!(segments.row(i, s) > 0)) continue;
      const std::size_t set = pieces.sets.find(
          pieces.of_row_node[static_cast<std::size_t>(s == 0 ? i * columns : i * columns + columns - 1)]);
      held[set] = true;
      if (wires.state(i) == RowState::driven) driven[set] = true;
    }
  }
  // Ideal 0 V passes no current on from one line to another: sense ends hold their set but join nothing.
  for (std::int64_t j = 0; j < columns; ++j) {
    bool reached = false;
    for (const std::int64_t s : {std::int64_t{0}, rows}) {
      if (!(segments.column(s, j) > 0)) continue;
      const std::size_t set =
          pieces.sets.find(pieces.of_column_node[static_cast<std::size_t>(s == 0 ? j : (rows - 1) * columns + j)]);
      held[set] = true;
      reached = reached || driven[set];
    }
    if (!reached) out.cut_off_outputs.push_back(j);
  }
  bool all_held = true;
  for (std::size_t piece = 0; piece < held.size(); ++piece) {
    held[piece] = held[pieces.sets.find(piece)];
    all_held = all_held && held[piece];
  }
  if (all_held) return out;
  for (const Line line : {Line::row, Line::column}) {
    const std::vector<std::size_t>& piece = line == Line::row ? pieces.of_row_node : pieces.of_column_node;
    for (std::size_t k = 0; k < piece.size(); ++k) {
      if (held[piece[k]]) continue;
      out.isolated.push_back({line, static_cast<std::int64_t>(k) / columns, static_cast<std::int64_t>(k) % columns});
    }
  }
  return out;
}

std::vector<std::string> warnings(const Connectivity& connectivity) {
  std::vector<std::string> out;
  if (!connectivity.isolated.empty()) {
    std::vector<std::string> names;
    for (const NodeName& node : connectivity.isolated) names.push_back(to_string(node));
    out.push_back(fmt::format("Nodes without a path to any driver or sense end are left out: {}.", listed(names)));
  }
  if (!connectivity.cut_off_outputs.empty()) {
    out.push_back(fmt::format("Outputs without a path to a driven row give 0 A: columns {}.",
                              listed(connectivity.cut_off_outputs)));
  }
  return out;
}

}  // namespace tellegen::circuits
