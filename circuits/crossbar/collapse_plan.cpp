#include "tellegen/circuits/crossbar/collapse_plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace tellegen::circuits {
namespace {

constexpr std::int64_t leaf_side = 8;

/// What makes two leaves alike: shape, edges of the array, and which of the two parities the first column has.
using Likeness = std::array<std::int64_t, 7>;

Likeness likeness(const Wires& wires, const Rectangle& r) {
  return {r.height(),
          r.width(),
          r.first_row == 0 ? 1 : 0,
          r.last_row == wires.rows ? 1 : 0,
          r.first_column == 0 ? 1 : 0,
          r.last_column == wires.columns ? 1 : 0,
          wires.sense == Sense::alternate ? r.first_column % 2 : 0};
}

/// True where the names of nodes repeat from leaf to leaf: always, unless wires without resistance are cut somewhere.
bool is_regular(const Wires& wires, const NodeGrid& grid) {
  const auto floats = [](RowState state) { return state == RowState::floating; };
  return !grid.merged() ||
         (wires.broken.empty() && std::none_of(wires.row_state.begin(), wires.row_state.end(), floats));
}

}  // namespace

class CollapsePlan::Planner {
 public:
  explicit Planner(CollapsePlan& plan) : plan_(plan), regular_(is_regular(plan.wires_, plan.grid_)) {}

  /// Adds the rectangle and all below it to the plan; the nodes that it keeps, ascending.
  std::vector<std::int64_t> add(const Rectangle& rectangle) {
    const std::size_t at = plan_.regions_.size();
    plan_.regions_.emplace_back().rectangle = rectangle;
    if (rectangle.height() <= leaf_side && rectangle.width() <= leaf_side) return add_leaf(at);
    const Halves halves = halved(rectangle);
    const auto first = static_cast<std::int64_t>(plan_.regions_.size());
    const std::vector<std::int64_t> first_nodes = add(halves.first);
    const auto second = static_cast<std::int64_t>(plan_.regions_.size());
    const std::vector<std::int64_t> second_nodes = add(halves.second);
    RegionJoin joined = join(plan_.grid_, rectangle, first_nodes, second_nodes);
    PlannedRegion& region = plan_.regions_[at];
    region.first = first;
    region.second = second;
    region.eliminated = joined.eliminated;
    region.nodes = joined.eliminated + static_cast<std::int64_t>(joined.kept.size());
    region.first_runs = std::move(joined.first_runs);
    region.second_runs = std::move(joined.second_runs);
    return std::move(joined.kept);
  }

 private:
  std::vector<std::int64_t> add_leaf(std::size_t at) {
    PlannedRegion& region = plan_.regions_[at];
    const std::size_t kind = kind_of(region.rectangle);
    plan_.kinds_[kind].leaves.push_back(static_cast<std::int64_t>(at));
    std::vector<std::int64_t> kept = plan_.kinds_[kind].structure.kept(plan_.grid_, region.rectangle);
    region.kind = static_cast<std::int64_t>(kind);
    region.nodes = static_cast<std::int64_t>(kept.size());
    return kept;
  }

  std::size_t kind_of(const Rectangle& rectangle) {
    const std::size_t next = plan_.kinds_.size();
    const auto [known, is_new] = known_.try_emplace(likeness(plan_.wires_, rectangle), next);
    if (regular_ && !is_new) return known->second;
    plan_.kinds_.push_back({LeafStructure(plan_.grid_, plan_.wires_, rectangle), {}});
    return next;
  }

  CollapsePlan& plan_;
  bool regular_;
  std::map<Likeness, std::size_t> known_;
};

CollapsePlan::CollapsePlan(const Wires& wires) : wires_(wires), segments_(segments_of(wires)), grid_(segments_) {
  for (const std::int64_t node : Planner(*this).add({0, wires.rows, 0, wires.columns})) {
    ports_.push_back({grid_.is_row(node) ? Line::row : Line::column, grid_.line(node)});
  }
}

}  // namespace tellegen::circuits
