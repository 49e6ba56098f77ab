#pragma once
// I_out = T V, exactly, for linear cells: the array is collapsed to its ports once, then wires cost nothing.
//
// The array is cut in halves down to leaves of at most 8 x 8 cells. A rectangle keeps only the nodes on its border; two
// neighbours are joined and the nodes of their common edge eliminated (dense nested dissection). O(N^3) for N x N, of
// which the last few joins are the most, so they run at the speed of a matrix product.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/collapse_plan.h"
#include "tellegen/circuits/crossbar/port_network.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// What a collapse cost.
struct CollapseCost {
  double operations = 0;   ///< floating-point
  std::int64_t bytes = 0;  ///< memory held: fronts, leaves and, where kept, all rectangles
};

/// Memory that many collapses of one thread share.
class CollapseMemory {
 public:
  CollapseMemory();
  ~CollapseMemory();
  CollapseMemory(CollapseMemory&&) noexcept;
  CollapseMemory& operator=(CollapseMemory&&) noexcept;

 private:
  friend class Collapse;
  struct Fronts;
  std::unique_ptr<Fronts> fronts_;
};

/// A new conductance of one cell [S], the access transistor not included.
struct CellChange {
  std::int64_t row = 0;
  std::int64_t column = 0;
  double cell_S = 0;
};

/// What a collapse keeps for later, at the price of memory.
struct CollapseOptions {
  bool rewritable = false;     ///< every rectangle, for `rewrite`
  bool node_voltages = false;  ///< every factor, for `node_voltages`
};

/// Voltages at the nodes of some cells, for many operating points at once.
struct LeafVoltages {
  Rectangle cells;
  std::int64_t count = 0;                    ///< operating points
  std::vector<const double*> row_node_V;     ///< by cell, row by row: w(i,j) [count]
  std::vector<const double*> column_node_V;  ///< b(i,j) [count]
};

/// A collapsed array.
class Collapse {
 public:
  /// `cell_S` [rows][columns]. Throws InputError as branch_conductances does. `memory` must outlive the object.
  Collapse(std::shared_ptr<const CollapsePlan> plan, std::span<const double> cell_S, CollapseMemory& memory,
           CollapseOptions options = {});
  ~Collapse();
  Collapse(Collapse&&) noexcept;
  Collapse& operator=(Collapse&&) noexcept;

  const PortNetwork& ports() const;
  /// Needs `rewritable`; redoes only the rectangles that hold a changed cell. Throws InputError for a cell that does
  /// not exist and for a conductance that branch_conductances refuses.
  void rewrite(std::span<const CellChange> changes);
  /// Needs `node_voltages`. Calls `use` for one leaf after the other, with the voltages at its nodes for `count`
  /// operating points, as solving the nodal equations once per point would give them. `row_V` [rows][count]: applied by
  /// the drivers (what applied_voltages gives); `column_V` [columns][count]: at the sense ends, 0 where currents are
  /// read, 1 at one column for its adjoint.
  void node_voltages(std::span<const double> row_V, std::span<const double> column_V, std::int64_t count,
                     const std::function<void(const LeafVoltages&)>& use) const;
  /// Of the last collapse or rewrite.
  const CollapseCost& cost() const;

 private:
  class Tree;
  std::unique_ptr<Tree> tree_;
};

/// The ports of an array, with memory of its own.
PortNetwork collapse(const Wires& wires, std::span<const double> cell_S);

}  // namespace tellegen::circuits
