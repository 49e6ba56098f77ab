#include "tellegen/circuits/crossbar/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/aligned_memory.h"
#include "tellegen/circuits/crossbar/leaf_structure.h"
#include "tellegen/circuits/crossbar/node_grid.h"
#include "tellegen/circuits/crossbar/region_join.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"

namespace tellegen::circuits {
namespace {

constexpr std::int64_t leaf_side = 8;

/// What makes two leaves alike: shape, edges of the array, and which of the two parities its first column has.
using LeafKind = std::array<std::int64_t, 7>;

}  // namespace

/// Children live on the stack of odd depths while their parent's front is on the stack of even depths, and so on.
struct CollapseMemory::Fronts {
  std::array<FrontStack, 2> stacks;
  AlignedNumbers leaves;
  AlignedNumbers leaf_work;
};

CollapseMemory::CollapseMemory() : fronts_(std::make_unique<Fronts>()) {}
CollapseMemory::~CollapseMemory() = default;
CollapseMemory::CollapseMemory(CollapseMemory&&) noexcept = default;
CollapseMemory& CollapseMemory::operator=(CollapseMemory&&) noexcept = default;

class Collapse::Tree {
 public:
  Tree(const Wires& wires, std::span<const double> cell_S, CollapseMemory& memory, bool keep)
      : wires_(wires),
        segments_(segments_of(wires)),
        branch_S_(branch_conductances(wires, cell_S)),
        grid_(segments_),
        memory_(*memory.fronts_),
        keep_(keep),
        every_leaf_its_own_(grid_.merged() && !is_uniform()),
        root_(add_region({0, wires.rows, 0, wires.columns})),
        ports_(wires, {}, {}) {
    solve();
  }

  const PortNetwork& ports() const { return ports_; }
  const CollapseCost& cost() const { return cost_; }

  void rewrite(std::span<const CellChange> changes) {
    TELLEGEN_ASSERT(keep_);
    std::vector<double> new_S;
    for (const CellChange& change : changes) new_S.push_back(checked(change));
    for (std::size_t k = 0; k < changes.size(); ++k) {
      branch_S_[static_cast<std::size_t>(changes[k].row * wires_.columns + changes[k].column)] = new_S[k];
      touch(root_, changes[k].row, changes[k].column);
    }
    solve();
  }

 private:
  struct Region {
    Rectangle rectangle;
    std::int64_t first = -1;  ///< halves; -1: a leaf
    std::int64_t second = -1;
    std::int64_t kind = -1;  ///< of a leaf
    bool stale = true;
    std::vector<std::int64_t> nodes;  ///< that stay, ascending
    AlignedNumbers kept;              ///< their conductances, [nodes][nodes]
    Front leaf;                       ///< of a leaf that is not kept
  };
  /// A rectangle without its inner nodes: what stays begins at node `eliminated` of the front.
  struct Reduced {
    Front front;
    std::int64_t eliminated = 0;
  };

  /// True where the names of merged nodes repeat from leaf to leaf.
  bool is_uniform() const {
    const auto floats = [](RowState state) { return state == RowState::floating; };
    return wires_.broken.empty() && std::none_of(wires_.row_state.begin(), wires_.row_state.end(), floats);
  }

  std::int64_t add_region(const Rectangle& rectangle) {
    const auto at = static_cast<std::int64_t>(regions_.size());
    regions_.emplace_back().rectangle = rectangle;
    if (rectangle.height() <= leaf_side && rectangle.width() <= leaf_side) {
      region(at).kind = kind_of(rectangle);
      leaves_by_kind_[static_cast<std::size_t>(region(at).kind)].push_back(at);
      region(at).nodes = structures_[static_cast<std::size_t>(region(at).kind)].kept(rectangle);
      return at;
    }
    const Halves halves = halved(rectangle);
    const std::int64_t first = add_region(halves.first);
    const std::int64_t second = add_region(halves.second);
    region(at).first = first;
    region(at).second = second;
    return at;
  }

  std::int64_t kind_of(const Rectangle& r) {
    const LeafKind kind = {r.height(),
                           r.width(),
                           r.first_row == 0,
                           r.last_row == wires_.rows,
                           r.first_column == 0,
                           r.last_column == wires_.columns,
                           wires_.sense == Sense::alternate ? r.first_column % 2 : 0};
    const auto next = static_cast<std::int64_t>(structures_.size());
    const auto [at, is_new] = kinds_.try_emplace(kind, next);
    if (!is_new && !every_leaf_its_own_) return at->second;
    structures_.emplace_back(grid_, wires_, r);
    leaves_by_kind_.emplace_back();
    return next;
  }

  Region& region(std::int64_t at) { return regions_[static_cast<std::size_t>(at)]; }

  double checked(const CellChange& change) const {
    if (change.row < 0 || change.row >= wires_.rows || change.column < 0 || change.column >= wires_.columns) {
      throw InputError(
          fmt::format("A change is for the cell in row '{}', column '{}'; this array has rows 0 to {} and columns "
                      "0 to {}.",
                      change.row, change.column, wires_.rows - 1, wires_.columns - 1));
    }
    return branch_conductance(wires_, change.row, change.column, change.cell_S);
  }

  void touch(std::int64_t at, std::int64_t row, std::int64_t column) {
    for (std::int64_t next = at; next >= 0;) {
      Region& here = region(next);
      here.stale = true;
      if (here.first < 0) return;
      const Rectangle& first = region(here.first).rectangle;
      next = row < first.last_row && column < first.last_column ? here.first : here.second;
    }
  }

  void solve() {
    cost_ = {};
    solve_leaves();
    const FrontStack::Mark mark = memory_.stacks[0].mark();
    read_ports(reduce(root_, 0));
    memory_.stacks[0].release(mark);
    cost_.bytes = memory_.stacks[0].bytes() + memory_.stacks[1].bytes() +
                  (memory_.leaves.size() + memory_.leaf_work.size()) * static_cast<std::int64_t>(sizeof(double));
    for (const Region& each : regions_) cost_.bytes += each.kept.size() * static_cast<std::int64_t>(sizeof(double));
  }

  void solve_leaves() {
    std::int64_t needed = 0;
    std::int64_t work = 0;
    for (std::size_t kind = 0; kind < structures_.size(); ++kind) {
      const LeafProgram& program = structures_[kind].program();
      work = std::max(work, program.places * lanes);
      for (const std::int64_t at : leaves_by_kind_[kind]) {
        if (region(at).stale) needed += program.kept_nodes * program.kept_nodes;
      }
    }
    if (!keep_ && memory_.leaves.size() < needed) memory_.leaves = AlignedNumbers(needed);
    if (memory_.leaf_work.size() < work) memory_.leaf_work = AlignedNumbers(work);
    double* next = memory_.leaves.data();
    for (std::size_t kind = 0; kind < structures_.size(); ++kind) solve_leaves_of_kind(kind, next);
  }

  void solve_leaves_of_kind(std::size_t kind, double*& next) {
    const LeafProgram& program = structures_[kind].program();
    const std::int64_t size = program.kept_nodes * program.kept_nodes;
    std::vector<LeafLane> batch;
    const auto run_batch = [&] {
      if (!batch.empty()) run(program, batch, memory_.leaf_work.data());
      cost_.operations += static_cast<double>(program.operations) * static_cast<double>(batch.size());
      batch.clear();
    };
    for (const std::int64_t at : leaves_by_kind_[kind]) {
      Region& leaf = region(at);
      if (!leaf.stale) continue;
      leaf.stale = false;
      if (keep_ && leaf.kept.size() == 0) leaf.kept = AlignedNumbers(size);
      leaf.leaf = {keep_ ? leaf.kept.data() : next, program.kept_nodes, program.kept_nodes};
      if (!keep_) next += size;
      const std::int64_t i = leaf.rectangle.first_row;
      const std::int64_t j = leaf.rectangle.first_column;
      batch.push_back(
          {{branch_S_.data() + i * wires_.columns + j, segments_.row_S.data() + i * (wires_.columns + 1) + j,
            segments_.column_S.data() + i * wires_.columns + j},
           leaf.leaf});
      if (batch.size() == lanes) run_batch();
    }
    run_batch();
  }

  Reduced reduce(std::int64_t at, std::size_t depth) {
    Region& here = region(at);
    if (here.first < 0) return {here.leaf, 0};
    if (!here.stale) return {kept_front(here), 0};
    FrontStack& children = memory_.stacks[(depth + 1) % 2];
    const FrontStack::Mark mark = children.mark();
    const Reduced first = reduce(here.first, depth + 1);
    const Reduced second = reduce(here.second, depth + 1);
    RegionJoin joined = join(grid_, here.rectangle, region(here.first).nodes, region(here.second).nodes);
    const std::int64_t nodes = joined.eliminated + static_cast<std::int64_t>(joined.kept.size());
    const Front front{memory_.stacks[depth % 2].push(front_size(nodes)), nodes, padded(nodes)};
    clear(front);
    add(front, first.front, first.eliminated, joined.first_runs);
    add(front, second.front, second.eliminated, joined.second_runs);
    children.release(mark);
    eliminate(front, joined.eliminated);
    count_operations(static_cast<double>(joined.eliminated), static_cast<double>(joined.kept.size()));
    here.nodes = std::move(joined.kept);
    here.stale = false;
    if (keep_) keep(here, front, joined.eliminated);
    return {front, joined.eliminated};
  }

  static Front kept_front(const Region& here) {
    const auto nodes = static_cast<std::int64_t>(here.nodes.size());
    return {here.kept.data(), nodes, nodes};
  }

  static void keep(Region& here, const Front& front, std::int64_t eliminated) {
    const auto nodes = static_cast<std::int64_t>(here.nodes.size());
    if (here.kept.size() == 0) here.kept = AlignedNumbers(nodes * nodes);
    const double* from = front.data + eliminated * front.stride + eliminated;
    for (std::int64_t q = 0; q < nodes; ++q) {
      std::copy(from + q * front.stride + q, from + q * front.stride + nodes, here.kept.data() + q * nodes + q);
    }
  }

  void count_operations(double e, double m) { cost_.operations += e * e * e / 3 + e * e * m + e * m * m; }

  void read_ports(const Reduced& reduced) {
    const std::vector<std::int64_t>& nodes = region(root_).nodes;
    std::vector<Port> ports;
    for (const std::int64_t node : nodes) {
      ports.push_back({grid_.is_row(node) ? Line::row : Line::column, grid_.line(node)});
    }
    const std::size_t count = nodes.size();
    std::vector<double> between_S(count * count);
    const Front& front = reduced.front;
    const double* from = front.data + reduced.eliminated * front.stride + reduced.eliminated;
    for (std::size_t q = 0; q < count; ++q) {
      const double* column = from + static_cast<std::int64_t>(q) * front.stride;
      std::copy(column + q + 1, column + count, between_S.begin() + static_cast<std::ptrdiff_t>(q * count + q + 1));
    }
    ports_ = PortNetwork(wires_, std::move(ports), std::move(between_S));
  }

  Wires wires_;
  Segments segments_;
  std::vector<double> branch_S_;
  NodeGrid grid_;
  CollapseMemory::Fronts& memory_;
  bool keep_;
  bool every_leaf_its_own_;
  std::map<LeafKind, std::int64_t> kinds_;
  std::vector<LeafStructure> structures_;
  std::vector<std::vector<std::int64_t>> leaves_by_kind_;
  std::vector<Region> regions_;
  std::int64_t root_;
  CollapseCost cost_;
  PortNetwork ports_;
};

Collapse::Collapse(const Wires& wires, std::span<const double> cell_S, CollapseMemory& memory, bool keep)
    : tree_(std::make_unique<Tree>(wires, cell_S, memory, keep)) {}
Collapse::~Collapse() = default;
Collapse::Collapse(Collapse&&) noexcept = default;
Collapse& Collapse::operator=(Collapse&&) noexcept = default;

const PortNetwork& Collapse::ports() const { return tree_->ports(); }
void Collapse::rewrite(std::span<const CellChange> changes) { tree_->rewrite(changes); }
const CollapseCost& Collapse::cost() const { return tree_->cost(); }

PortNetwork collapse(const Wires& wires, std::span<const double> cell_S) {
  CollapseMemory memory;
  return Collapse(wires, cell_S, memory).ports();
}

}  // namespace tellegen::circuits
