#include "tellegen/circuits/crossbar/connectivity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace tellegen::circuits {
namespace {

/// Sets of connected nodes.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t node) {
    while (parent_[node] != node) {
      parent_[node] = parent_[parent_[node]];
      node = parent_[node];
    }
    return node;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
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
  const auto cells = static_cast<std::size_t>(rows * columns);
  const std::size_t driven = 2 * cells;
  // Ideal 0 V passes no current on from one line to another: each grounded driver and each sense end is a node of its
  // own.
  const std::size_t grounded = driven + 1;
  const std::size_t first_end = grounded + static_cast<std::size_t>(rows);
  Sets sets(first_end + static_cast<std::size_t>(columns));
  const auto w = [&](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * columns + j); };
  const auto b = [&](std::int64_t i, std::int64_t j) { return cells + w(i, j); };
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::size_t source = wires.state(i) == RowState::driven ? driven : grounded + static_cast<std::size_t>(i);
    for (std::int64_t s = 0; s <= columns; ++s) {
      if (segments.row(i, s) > 0) sets.join(s > 0 ? w(i, s - 1) : source, s < columns ? w(i, s) : source);
    }
    for (std::int64_t j = 0; j < columns; ++j) {
      if (branch_S[w(i, j)] > 0) sets.join(w(i, j), b(i, j));
    }
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    const std::size_t end = first_end + static_cast<std::size_t>(j);
    for (std::int64_t s = 0; s <= rows; ++s) {
      if (segments.column(s, j) > 0) sets.join(s > 0 ? b(s - 1, j) : end, s < rows ? b(s, j) : end);
    }
  }
  Connectivity out;
  std::vector<bool> held(first_end + static_cast<std::size_t>(columns));
  for (std::size_t terminal = driven; terminal < held.size(); ++terminal) held[sets.find(terminal)] = true;
  for (const Line line : {Line::row, Line::column}) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        if (!held[sets.find(line == Line::row ? w(i, j) : b(i, j))]) out.isolated.push_back({line, i, j});
      }
    }
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    if (sets.find(first_end + static_cast<std::size_t>(j)) != sets.find(driven)) out.cut_off_outputs.push_back(j);
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
