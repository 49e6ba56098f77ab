#include "tellegen/circuits/crossbar/branch_list.h"

#include <cmath>

#include "tellegen/circuits/crossbar/connectivity.h"

namespace tellegen::circuits {
namespace {

void add(std::vector<Branch>& list, std::int64_t a, std::int64_t b, double g_S) {
  if (g_S > 0 && !std::isinf(g_S) && a != b) list.push_back({a, b, g_S});
}

}  // namespace

std::vector<Branch> wire_branches(const NodeGrid& grid, const Segments& segments) {
  std::vector<Branch> out;
  for (std::int64_t i = 0; i < grid.rows(); ++i) {
    for (std::int64_t s = 0; s <= grid.columns(); ++s) {
      add(out, grid.row(i, s - 1), grid.row(i, s), segments.row(i, s));
    }
  }
  for (std::int64_t j = 0; j < grid.columns(); ++j) {
    for (std::int64_t s = 0; s <= grid.rows(); ++s) {
      add(out, grid.column(s - 1, j), grid.column(s, j), segments.column(s, j));
    }
  }
  return out;
}

std::vector<Branch> cell_branches(const NodeGrid& grid, std::span<const double> branch_S) {
  std::vector<Branch> out;
  for (std::int64_t i = 0; i < grid.rows(); ++i) {
    for (std::int64_t j = 0; j < grid.columns(); ++j) {
      add(out, grid.row(i, j), grid.column(i, j), branch_S[static_cast<std::size_t>(i * grid.columns() + j)]);
    }
  }
  return out;
}

std::vector<bool> isolated_nodes(const NodeGrid& grid, const Segments& segments, std::span<const double> branch_S,
                                 const Wires& wires) {
  std::vector<bool> out(static_cast<std::size_t>(grid.positions()));
  for (const NodeName& name : connectivity(segments, branch_S, wires).isolated) {
    const bool row = name.line == Line::row;
    out[static_cast<std::size_t>(row ? grid.row(name.row, name.column) : grid.column(name.row, name.column))] = true;
  }
  return out;
}

}  // namespace tellegen::circuits
