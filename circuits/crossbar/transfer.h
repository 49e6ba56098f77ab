#pragma once
// I_out = T V, exactly, for linear cells: the array is collapsed to its ports once, then wires cost nothing.
//
// The array is cut in halves down to leaves of at most 8 x 8 cells. A rectangle keeps only the nodes on its border; two
// neighbours are joined and the nodes of their common edge eliminated (dense nested dissection). O(N^3) for N x N, of
// which the last few joins are the most, so they run at the speed of a matrix product.

#include <cstdint>
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

/// A collapsed array.
class Collapse {
 public:
  /// `cell_S` [rows][columns]. With `keep`, every rectangle is kept so that `rewrite` redoes only those that hold a
  /// changed cell. Throws InputError as branch_conductances does. `memory` must outlive the object.
  Collapse(std::shared_ptr<const CollapsePlan> plan, std::span<const double> cell_S, CollapseMemory& memory,
           bool keep = false);
  ~Collapse();
  Collapse(Collapse&&) noexcept;
  Collapse& operator=(Collapse&&) noexcept;

  const PortNetwork& ports() const;
  /// Needs `keep`. Throws InputError for a cell that does not exist and for a conductance that branch_conductances
  /// refuses.
  void rewrite(std::span<const CellChange> changes);
  /// Of the last collapse or rewrite.
  const CollapseCost& cost() const;

 private:
  class Tree;
  std::unique_ptr<Tree> tree_;
};

/// The ports of an array, with memory of its own.
PortNetwork collapse(const Wires& wires, std::span<const double> cell_S);

}  // namespace tellegen::circuits
