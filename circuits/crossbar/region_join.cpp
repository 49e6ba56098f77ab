#include "tellegen/circuits/crossbar/region_join.h"

#include <algorithm>
#include <iterator>

namespace tellegen::circuits {
namespace {

/// Where `nodes` stand in the front, as runs.
std::vector<Run> runs_of(const std::vector<std::int64_t>& nodes, const std::vector<std::int64_t>& eliminated,
                         const std::vector<std::int64_t>& kept) {
  std::vector<Run> out;
  auto next_eliminated = eliminated.begin();
  auto next_kept = kept.begin();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    while (next_eliminated != eliminated.end() && *next_eliminated < nodes[k]) ++next_eliminated;
    while (next_kept != kept.end() && *next_kept < nodes[k]) ++next_kept;
    const bool goes = next_eliminated != eliminated.end() && *next_eliminated == nodes[k];
    const auto to = goes ? next_eliminated - eliminated.begin()
                         : static_cast<std::ptrdiff_t>(eliminated.size()) + (next_kept - kept.begin());
    if (!out.empty() && out.back().to + out.back().length == to) {
      ++out.back().length;
    } else {
      out.push_back({static_cast<std::int64_t>(k), to, 1});
    }
  }
  return out;
}

}  // namespace

RegionJoin join(const NodeGrid& grid, const Rectangle& whole, const std::vector<std::int64_t>& first,
                const std::vector<std::int64_t>& second) {
  std::vector<std::int64_t> all;
  all.reserve(first.size() + second.size());
  std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all));
  RegionJoin out;
  std::vector<std::int64_t> eliminated;
  for (const std::int64_t node : all) (grid.is_inside(node, whole) ? eliminated : out.kept).push_back(node);
  out.eliminated = static_cast<std::int64_t>(eliminated.size());
  out.first_runs = runs_of(first, eliminated, out.kept);
  out.second_runs = runs_of(second, eliminated, out.kept);
  return out;
}

}  // namespace tellegen::circuits
