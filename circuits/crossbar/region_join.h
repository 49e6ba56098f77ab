#pragma once
// How two neighbouring rectangles are joined: which nodes of their borders stay, and where each goes in the common
// front.

#include <cstdint>
#include <vector>

#include "tellegen/circuits/crossbar/node_grid.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"

namespace tellegen::circuits {

/// The common front holds first the nodes that are eliminated, then those that stay; each group ascending.
struct RegionJoin {
  std::vector<std::int64_t> kept;
  std::int64_t eliminated = 0;
  std::vector<Run> first_runs;
  std::vector<Run> second_runs;
};

/// `first`, `second`: the nodes that the halves have kept, ascending; `whole`: the rectangle of both.
RegionJoin join(const NodeGrid& grid, const Rectangle& whole, const std::vector<std::int64_t>& first,
                const std::vector<std::int64_t>& second);

}  // namespace tellegen::circuits
