#pragma once
// How loops over arrays of cells are built: in blocks that stay in the first-level cache, compiled once per vector
// unit.

#include <algorithm>
#include <cstddef>

#include "tellegen/base/vector_units.h"

namespace tellegen::devices {

/// Cells of one block: a multiple of the 64 draws that a random block holds, and so few that the processor fetches the
/// next block of an array that is in no cache while it makes the draws of this one.
inline constexpr std::size_t block_cells = 512;

/// Calls body(first, count) for the blocks of `cells` cells.
template <class Body>
void for_each_block(std::size_t cells, Body&& body) {
  for (std::size_t first = 0; first < cells; first += block_cells) body(first, std::min(block_cells, cells - first));
}

/// Runs Kernel::run, a loop marked TELLEGEN_KERNEL, as compiled for the vector unit of this machine. Same bits on all.
template <class Kernel, class... Arguments>
auto vectorised(Arguments... arguments) {
  return run_kernel<Kernel>(best_vector_unit(), arguments...);
}

}  // namespace tellegen::devices
