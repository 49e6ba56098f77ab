#include "tellegen/circuits/crossbar/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/aligned_memory.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"
#include "tellegen/circuits/crossbar/substitution_kernels.h"

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
  Tree(std::shared_ptr<const CollapsePlan> plan, std::span<const double> cell_S, CollapseMemory& memory,
       const CollapseOptions& options)
      : plan_(std::move(plan)),
        branch_S_(branch_conductances(plan_->wires(), cell_S)),
        memory_(*memory.fronts_),
        options_(options),
        results_(plan_->regions().size()),
        ports_(solve()) {}

  const PortNetwork& ports() const { return ports_; }
  const CollapseCost& cost() const { return cost_; }

  void rewrite(std::span<const CellChange> changes) {
    TELLEGEN_ASSERT(options_.rewritable);
    std::vector<double> new_S;
    for (const CellChange& change : changes) new_S.push_back(checked(change));
    for (std::size_t k = 0; k < changes.size(); ++k) {
      branch_S_[static_cast<std::size_t>(changes[k].row * plan_->wires().columns + changes[k].column)] = new_S[k];
      touch(changes[k].row, changes[k].column);
    }
    ports_ = solve();
  }

  void node_voltages(std::span<const double> row_V, std::span<const double> column_V, std::int64_t count,
                     const std::function<void(const LeafVoltages&)>& use) const {
    TELLEGEN_ASSERT(options_.node_voltages);
    const Wires& wires = plan_->wires();
    TELLEGEN_ASSERT(static_cast<std::int64_t>(row_V.size()) == wires.rows * count);
    TELLEGEN_ASSERT(static_cast<std::int64_t>(column_V.size()) == wires.columns * count);
    std::vector<double> port_V;
    for (const Port& port : plan_->ports()) {
      const auto from = (port.line == Line::row ? row_V : column_V).begin() + port.index * count;
      port_V.insert(port_V.end(), from, from + count);
    }
    descend(0, port_V, count, use);
  }

 private:
  /// A rectangle reduced to the nodes that it keeps.
  struct Result {
    bool stale = true;
    AlignedNumbers kept;    ///< where rectangles are kept: [nodes][nodes]
    AlignedNumbers factor;  ///< where factors are kept: the columns of eliminated nodes, or the places of a leaf
    Front leaf;             ///< of a leaf
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
    for (const Result& each : results_) numbers += each.kept.size() + each.factor.size();
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
    if (!options_.rewritable && memory_.leaves.size() < needed) memory_.leaves = AlignedNumbers(needed);
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
      if (options_.rewritable && out.kept.size() == 0) out.kept = AlignedNumbers(size);
      out.leaf = {options_.rewritable ? out.kept.data() : next, program.kept_nodes, program.kept_nodes};
      if (!options_.rewritable) next += size;
      if (options_.node_voltages && out.factor.size() == 0) out.factor = AlignedNumbers(program.places);
      batch.push_back(lane_of(plan_->region(leaf).rectangle, out));
      if (batch.size() == lanes) run_batch();
    }
    run_batch();
    return next;
  }

  LeafLane lane_of(const Rectangle& leaf, const Result& out) const {
    const std::int64_t columns = plan_->wires().columns;
    const std::int64_t i = leaf.first_row;
    const std::int64_t j = leaf.first_column;
    return {{branch_S_.data() + i * columns + j, plan_->segments().row_S.data() + i * (columns + 1) + j,
             plan_->segments().column_S.data() + i * columns + j},
            out.leaf,
            out.factor.data()};
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
    if (options_.rewritable) keep(result(at).kept, front, here.eliminated);
    if (options_.node_voltages) keep_factor(result(at).factor, front, here.eliminated);
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

  static void keep_factor(AlignedNumbers& factor, const Front& front, std::int64_t eliminated) {
    if (factor.size() == 0) factor = AlignedNumbers(std::max(eliminated * front.stride, std::int64_t{1}));
    for (std::int64_t k = 0; k < eliminated; ++k) {
      const double* column = front.data + k * front.stride;
      std::copy(column + k + 1, column + front.nodes, factor.data() + k * front.stride + k + 1);
    }
  }

  void count_operations(double e, double m) { cost_.operations += e * e * e / 3 + e * e * m + e * m * m; }

  /// `kept_V` [kept nodes][count] of a rectangle: on to its halves, down to the leaves.
  void descend(std::int64_t at, const std::vector<double>& kept_V, std::int64_t count,
               const std::function<void(const LeafVoltages&)>& use) const {
    const PlannedRegion& here = plan_->region(at);
    const double* factor = results_[static_cast<std::size_t>(at)].factor.data();
    const bool leaf = here.first < 0;
    const std::int64_t inner = leaf ? inner_nodes(here) : here.eliminated;
    std::vector<double> node_V(static_cast<std::size_t>(inner * count) + kept_V.size());
    std::copy(kept_V.begin(), kept_V.end(), node_V.begin() + inner * count);
    if (leaf) {
      const LeafStructure& structure = plan_->leaf_kinds()[static_cast<std::size_t>(here.kind)].structure;
      substitute(structure.program(), factor, node_V.data(), count);
      use(leaf_voltages(here.rectangle, structure, node_V, count));
      return;
    }
    substitute(factor, here.nodes, inner, node_V.data(), count);
    descend(here.first, gathered(node_V, here.first_runs, count), count, use);
    descend(here.second, gathered(node_V, here.second_runs, count), count, use);
  }

  std::int64_t inner_nodes(const PlannedRegion& leaf) const {
    const LeafProgram& program = plan_->leaf_kinds()[static_cast<std::size_t>(leaf.kind)].structure.program();
    return program.nodes() - program.kept_nodes;
  }

  /// What a half has kept, out of the common front.
  static std::vector<double> gathered(const std::vector<double>& node_V, const std::vector<Run>& runs,
                                      std::int64_t count) {
    std::vector<double> out;
    for (const Run& run : runs) {
      const auto from = node_V.begin() + run.to * count;
      out.insert(out.end(), from, from + run.length * count);
    }
    return out;
  }

  static LeafVoltages leaf_voltages(const Rectangle& cells, const LeafStructure& structure,
                                    const std::vector<double>& node_V, std::int64_t count) {
    LeafVoltages out{cells, count, {}, {}};
    const auto width = static_cast<std::size_t>(count);
    for (const std::size_t node : structure.row_node()) out.row_node_V.push_back(node_V.data() + node * width);
    for (const std::size_t node : structure.column_node()) out.column_node_V.push_back(node_V.data() + node * width);
    return out;
  }

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
  CollapseOptions options_;
  std::vector<Result> results_;
  CollapseCost cost_;
  PortNetwork ports_;
};

Collapse::Collapse(std::shared_ptr<const CollapsePlan> plan, std::span<const double> cell_S, CollapseMemory& memory,
                   CollapseOptions options)
    : tree_(std::make_unique<Tree>(std::move(plan), cell_S, memory, options)) {}
Collapse::~Collapse() = default;
Collapse::Collapse(Collapse&&) noexcept = default;
Collapse& Collapse::operator=(Collapse&&) noexcept = default;

const PortNetwork& Collapse::ports() const { return tree_->ports(); }
void Collapse::rewrite(std::span<const CellChange> changes) { tree_->rewrite(changes); }
void Collapse::node_voltages(std::span<const double> row_V, std::span<const double> column_V, std::int64_t count,
                             const std::function<void(const LeafVoltages&)>& use) const {
  tree_->node_voltages(row_V, column_V, count, use);
}
const CollapseCost& Collapse::cost() const { return tree_->cost(); }

PortNetwork collapse(const Wires& wires, std::span<const double> cell_S) {
  CollapseMemory memory;
  return Collapse(std::make_shared<CollapsePlan>(wires), cell_S, memory).ports();
}

}  // namespace tellegen::circuits
