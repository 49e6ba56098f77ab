#include "tellegen/circuits/crossbar/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/aligned_memory.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"

namespace tellegen::circuits {

/// Halves live on one stack while the front of their whole is on the other one.
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
  Tree(std::shared_ptr<const CollapsePlan> plan, std::span<const double> cell_S, CollapseMemory& memory, bool keep)
      : plan_(std::move(plan)),
        branch_S_(branch_conductances(plan_->wires(), cell_S)),
        memory_(*memory.fronts_),
        keep_(keep),
        results_(plan_->regions().size()),
        ports_(solve()) {}

  const PortNetwork& ports() const { return ports_; }
  const CollapseCost& cost() const { return cost_; }

  void rewrite(std::span<const CellChange> changes) {
    TELLEGEN_ASSERT(keep_);
    std::vector<double> new_S;
    for (const CellChange& change : changes) new_S.push_back(checked(change));
    for (std::size_t k = 0; k < changes.size(); ++k) {
      branch_S_[static_cast<std::size_t>(changes[k].row * plan_->wires().columns + changes[k].column)] = new_S[k];
      touch(changes[k].row, changes[k].column);
    }
    ports_ = solve();
  }

 private:
  /// A rectangle reduced to the nodes that it keeps.
  struct Result {
    bool stale = true;
    AlignedNumbers kept;  ///< where rectangles are kept: [nodes][nodes]
    Front leaf;           ///< of a leaf
  };

  Result& result(std::int64_t region) { return results_[static_cast<std::size_t>(region)]; }

  double checked(const CellChange& change) const {
    const Wires& wires = plan_->wires();
    if (change.row < 0 || change.row >= wires.rows || change.column < 0 || change.column >= wires.columns) {
      throw InputError(
          fmt::format("A change is for the cell in row '{}', column '{}'; this array has rows 0 to {} and columns "
                      "0 to {}.",
                      change.row, change.column, wires.rows - 1, wires.columns - 1));
    }
    return branch_conductance(wires, change.row, change.column, change.cell_S);
  }

  /// All rectangles that hold the cell are to be done again.
  void touch(std::int64_t row, std::int64_t column) {
    std::int64_t at = 0;
    while (at >= 0) {
      result(at).stale = true;
      const PlannedRegion& here = plan_->region(at);
      if (here.first < 0) return;
      const Rectangle& first = plan_->region(here.first).rectangle;
      at = row < first.last_row && column < first.last_column ? here.first : here.second;
    }
  }

  PortNetwork solve() {
    cost_ = {};
    solve_leaves();
    const FrontStack::Mark mark = memory_.stacks[0].mark();
    std::vector<double> between_S = between_ports(reduced(0, 0), plan_->region(0).kept());
    memory_.stacks[0].release(mark);
    std::int64_t numbers = memory_.leaves.size() + memory_.leaf_work.size();
    for (const Result& each : results_) numbers += each.kept.size();
    cost_.bytes =
        memory_.stacks[0].bytes() + memory_.stacks[1].bytes() + numbers * static_cast<std::int64_t>(sizeof(double));
    return PortNetwork(plan_->wires(), plan_->ports(), std::move(between_S));
  }

  void solve_leaves() {
    std::int64_t needed = 0;
    std::int64_t work = 0;
    for (const CollapsePlan::LeafKind& kind : plan_->leaf_kinds()) {
      const LeafProgram& program = kind.structure.program();
      work = std::max(work, program.places * lanes);
      needed += program.kept_nodes * program.kept_nodes * static_cast<std::int64_t>(kind.leaves.size());
    }
    if (!keep_ && memory_.leaves.size() < needed) memory_.leaves = AlignedNumbers(needed);
    if (memory_.leaf_work.size() < work) memory_.leaf_work = AlignedNumbers(work);
    double* next = memory_.leaves.data();
    for (const CollapsePlan::LeafKind& kind : plan_->leaf_kinds()) next = solve_leaves_of(kind, next);
  }

  /// Leaves that are not kept go to `next` and after; the first place that is still free.
  double* solve_leaves_of(const CollapsePlan::LeafKind& kind, double* next) {
    const LeafProgram& program = kind.structure.program();
    const std::int64_t size = program.kept_nodes * program.kept_nodes;
    std::vector<LeafLane> batch;
    const auto run_batch = [&] {
      if (!batch.empty()) run(program, batch, memory_.leaf_work.data());
      cost_.operations += static_cast<double>(program.operations) * static_cast<double>(batch.size());
      batch.clear();
    };
    for (const std::int64_t leaf : kind.leaves) {
      Result& out = result(leaf);
      if (!out.stale) continue;
      out.stale = false;
      if (keep_ && out.kept.size() == 0) out.kept = AlignedNumbers(size);
      out.leaf = {keep_ ? out.kept.data() : next, program.kept_nodes, program.kept_nodes};
      if (!keep_) next += size;
      batch.push_back(lane_of(plan_->region(leaf).rectangle, out.leaf));
      if (batch.size() == lanes) run_batch();
    }
    run_batch();
    return next;
  }

  LeafLane lane_of(const Rectangle& leaf, const Front& out) const {
    const std::int64_t columns = plan_->wires().columns;
    const std::int64_t i = leaf.first_row;
    const std::int64_t j = leaf.first_column;
    return {{branch_S_.data() + i * columns + j, plan_->segments().row_S.data() + i * (columns + 1) + j,
             plan_->segments().column_S.data() + i * columns + j},
            out};
  }

  /// A rectangle without its inner nodes: what it keeps begins at node `from` of the front.
  struct Reduced {
    Front front;
    std::int64_t from = 0;
  };

  Reduced reduced(std::int64_t at, std::size_t depth) {
    const Result& here = result(at);
    if (plan_->region(at).first < 0) return {here.leaf, 0};
    if (here.stale) return {joined(at, depth), plan_->region(at).eliminated};
    const std::int64_t nodes = plan_->region(at).kept();
    return {{here.kept.data(), nodes, nodes}, 0};
  }

  /// The front of both halves, with the nodes inside eliminated.
  Front joined(std::int64_t at, std::size_t depth) {
    const PlannedRegion& here = plan_->region(at);
    FrontStack& halves = memory_.stacks[(depth + 1) % 2];
    const FrontStack::Mark mark = halves.mark();
    const Reduced first = reduced(here.first, depth + 1);
    const Reduced second = reduced(here.second, depth + 1);
    const Front front{memory_.stacks[depth % 2].push(front_size(here.nodes)), here.nodes, padded(here.nodes)};
    clear(front);
    add(front, first.front, first.from, here.first_runs);
    add(front, second.front, second.from, here.second_runs);
    halves.release(mark);
    eliminate(front, here.eliminated);
    count_operations(static_cast<double>(here.eliminated), static_cast<double>(here.kept()));
    result(at).stale = false;
    if (keep_) keep(result(at).kept, front, here.eliminated);
    return front;
  }

  static void keep(AlignedNumbers& kept, const Front& front, std::int64_t eliminated) {
    const std::int64_t nodes = front.nodes - eliminated;
    if (kept.size() == 0) kept = AlignedNumbers(nodes * nodes);
    const double* from = front.data + eliminated * front.stride + eliminated;
    for (std::int64_t q = 0; q < nodes; ++q) {
      std::copy(from + q * front.stride + q, from + q * front.stride + nodes, kept.data() + q * nodes + q);
    }
  }

  void count_operations(double e, double m) { cost_.operations += e * e * e / 3 + e * e * m + e * m * m; }

  static std::vector<double> between_ports(const Reduced& whole, std::int64_t ports) {
    std::vector<double> out(static_cast<std::size_t>(ports * ports));
    const Front& front = whole.front;
    const double* from = front.data + whole.from * front.stride + whole.from;
    for (std::int64_t q = 0; q < ports; ++q) {
      std::copy(from + q * front.stride + q + 1, from + q * front.stride + ports, out.begin() + q * ports + q + 1);
    }
    return out;
  }

  std::shared_ptr<const CollapsePlan> plan_;
  std::vector<double> branch_S_;
  CollapseMemory::Fronts& memory_;
  bool keep_;
  std::vector<Result> results_;
  CollapseCost cost_;
  PortNetwork ports_;
};

Collapse::Collapse(std::shared_ptr<const CollapsePlan> plan, std::span<const double> cell_S, CollapseMemory& memory,
                   bool keep)
    : tree_(std::make_unique<Tree>(std::move(plan), cell_S, memory, keep)) {}
Collapse::~Collapse() = default;
Collapse::Collapse(Collapse&&) noexcept = default;
Collapse& Collapse::operator=(Collapse&&) noexcept = default;

const PortNetwork& Collapse::ports() const { return tree_->ports(); }
void Collapse::rewrite(std::span<const CellChange> changes) { tree_->rewrite(changes); }
const CollapseCost& Collapse::cost() const { return tree_->cost(); }

PortNetwork collapse(const Wires& wires, std::span<const double> cell_S) {
  CollapseMemory memory;
  return Collapse(std::make_shared<CollapsePlan>(wires), cell_S, memory).ports();
}

}  // namespace tellegen::circuits
