#pragma once
// Elimination of nodes by the star-mesh transform: a node with conductances g_1 .. g_n to its neighbours, and nothing
// else, is replaced by the conductances g_a g_b / sum g between them. It is Gaussian elimination of the nodal matrix
// without its diagonal: only sums and products of positive numbers, so that no digit is lost however far apart wire and
// cell conductances are, and a node that hangs in the air (sum g = 0) needs no special case.
//
// Kernels are compiled for each vector unit and the widest one of the machine is used; they round differently (fused
// multiply-add where there is one), as those of a BLAS do.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits {

/// Row count to which columns of a front are padded.
inline constexpr std::int64_t front_alignment = 8;
inline constexpr std::int64_t padded(std::int64_t n) {
  return (n + front_alignment - 1) / front_alignment * front_alignment;
}

/// Conductances between `nodes` nodes, column-major, lower triangle without the diagonal: entry (p, q) with p > q is at
/// data[q * stride + p]. `stride` is a multiple of front_alignment, data is aligned to 64 bytes; columns are padded to
/// `stride` rows, and front_alignment columns of padding follow. Everything from row (q rounded down) of column q on
/// must be finite, and zero beyond the last row.
struct Front {
  double* data = nullptr;
  std::int64_t nodes = 0;
  std::int64_t stride = 0;
};
/// Numbers that a front of this size occupies.
inline constexpr std::int64_t front_size(std::int64_t nodes) { return padded(nodes) * (nodes + front_alignment); }

/// Sets a front to zero where it must be defined.
void clear(const Front& front);

/// A contiguous run of nodes of one front and where it goes in another one.
struct Run {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t length = 0;
};
/// into += the trailing block of `child` from node `first` on; runs count from there.
void add(const Front& into, const Front& child, std::int64_t first, std::span<const Run> runs);

/// Eliminates the first `count` nodes; what remains is in the trailing block.
void eliminate(const Front& front, std::int64_t count, VectorUnit unit = best_vector_unit());

/// Leaves that have the same structure are eliminated side by side, one in each lane.
inline constexpr int lanes = 8;

/// The elimination of a small network written out: where each branch goes, then for each eliminated node the places of
/// its conductances and of what they change. Places number the conductances that occur.
struct LeafProgram {
  struct Stamp {
    std::int32_t place = 0;
    std::int32_t source = 0;  ///< which array of conductances
    std::int64_t offset = 0;  ///< in it, from the leaf's own origin
  };
  std::vector<Stamp> stamps;
  /// n, n places, n(n-1)/2 places of pairs (a > b, b slow); again for the next node.
  std::vector<std::uint16_t> eliminations;
  /// An eliminated node: where its places stand in `eliminations`, and the numbers of its neighbours in `neighbours`.
  struct Star {
    std::int64_t places_at = 0;
    std::int64_t neighbours_at = 0;
    std::int64_t count = 0;
  };
  std::vector<Star> stars;
  std::vector<std::uint16_t> neighbours;
  std::vector<std::int32_t> kept;  ///< place of pair (p > q, q slow) of the nodes that stay, -1: no conductance
  std::int64_t kept_nodes = 0;
  std::int64_t places = 0;
  std::int64_t operations = 0;  ///< floating-point operations of one leaf
  std::int64_t nodes() const { return static_cast<std::int64_t>(stars.size()) + kept_nodes; }
};

/// Where one leaf reads its conductances, by source, and writes those that stay.
struct LeafLane {
  std::array<const double*, 3> sources{};
  Front out;
  double* places = nullptr;  ///< [program.places] for a later substitution, or nothing
};
/// `work`: program.places * lanes numbers, aligned to 64 bytes. At most `lanes` leaves.
void run(const LeafProgram& program, std::span<const LeafLane> leaves, double* work,
         VectorUnit unit = best_vector_unit());

}  // namespace tellegen::circuits
