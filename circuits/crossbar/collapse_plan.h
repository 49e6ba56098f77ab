#pragma once
// Everything about collapsing an array to its ports that does not depend on its cells: how it is cut, which nodes stay
// where, the programs of the leaves. Made once for all tiles that are wired alike; it does not change and may be shared
// between threads.

#include <cstdint>
#include <vector>

#include "tellegen/circuits/crossbar/leaf_structure.h"
#include "tellegen/circuits/crossbar/node_grid.h"
#include "tellegen/circuits/crossbar/port_network.h"
#include "tellegen/circuits/crossbar/region_join.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// A rectangle of the tree: a leaf, or two halves and how they are joined.
struct PlannedRegion {
  Rectangle rectangle;
  std::int64_t first = -1;  ///< halves, by number; -1: a leaf
  std::int64_t second = -1;
  std::int64_t kind = -1;  ///< of a leaf: which structure
  std::int64_t nodes = 0;  ///< of its front
  std::int64_t eliminated =
      0;  ///< of those, the first ones; 0 for a leaf, whose front has only what its program leaves
  std::vector<Run> first_runs;  ///< where the nodes that the halves have kept go
  std::vector<Run> second_runs;
  std::int64_t kept() const { return nodes - eliminated; }
};

class CollapsePlan {
 public:
  /// Throws InputError as check does.
  explicit CollapsePlan(const Wires& wires);
  CollapsePlan(const CollapsePlan&) = delete;
  CollapsePlan& operator=(const CollapsePlan&) = delete;

  const Wires& wires() const { return wires_; }
  const Segments& segments() const { return segments_; }
  /// Region 0 is the whole array.
  const std::vector<PlannedRegion>& regions() const { return regions_; }
  const PlannedRegion& region(std::int64_t number) const { return regions_[static_cast<std::size_t>(number)]; }
  /// Leaves of one structure can run side by side.
  struct LeafKind {
    LeafStructure structure;
    std::vector<std::int64_t> leaves;  ///< numbers of regions
  };
  const std::vector<LeafKind>& leaf_kinds() const { return kinds_; }
  /// What is left of the whole array, in the order of its nodes.
  const std::vector<Port>& ports() const { return ports_; }

 private:
  class Planner;

  Wires wires_;
  Segments segments_;
  NodeGrid grid_;
  std::vector<LeafKind> kinds_;
  std::vector<PlannedRegion> regions_;
  std::vector<Port> ports_;
};

}  // namespace tellegen::circuits
