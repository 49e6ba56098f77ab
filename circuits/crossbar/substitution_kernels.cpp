#include "tellegen/circuits/crossbar/substitution_kernels.h"

#include <algorithm>

#include "tellegen/base/blas.h"

namespace tellegen::circuits {
namespace {

constexpr std::int64_t block = 32;  // nodes whose later neighbours are summed by one matrix product

/// Nodes last - 1 down to first, when the part of the sum from node `last` on is already in their place.
struct WithinBlock {
  TELLEGEN_KERNEL static void run(const double* factor, std::int64_t nodes, std::int64_t first, std::int64_t last,
                                  double* node_V, std::int64_t count) {
    for (std::int64_t k = last - 1; k >= first; --k) {
      const double* column = factor + k * padded(nodes);
      double sum_S = 0;
      for (std::int64_t p = k + 1; p < nodes; ++p) sum_S += column[p];
      double* target_V = node_V + k * count;
      for (std::int64_t p = k + 1; p < last; ++p) {
        const double* from_V = node_V + p * count;
        const double g_S = column[p];
        for (std::int64_t r = 0; r < count; ++r) target_V[r] += g_S * from_V[r];
      }
      const double scale = sum_S > 0 ? 1 / sum_S : 0;
      for (std::int64_t r = 0; r < count; ++r) target_V[r] *= scale;
    }
  }
};

/// Eight operating points of one node, anywhere in memory.
using Eight = double __attribute__((vector_size(64), may_alias, aligned(8)));

struct Leaf {
  TELLEGEN_KERNEL static void run(const LeafProgram& program, const double* places, double* node_V,
                                  std::int64_t count) {
    std::int64_t first = 0;
    for (; first + 32 <= count; first += 32) some<Eight, 4>(program, places, node_V + first, count);
    for (; first + 8 <= count; first += 8) some<Eight, 1>(program, places, node_V + first, count);
    for (; first < count; ++first) some<double, 1>(program, places, node_V + first, count);
  }

  /// `vectors` times the points of a V at a time: their sums stay in registers.
  template <class V, int vectors>
  TELLEGEN_KERNEL static void some(const LeafProgram& program, const double* places, double* node_V,
                                   std::int64_t stride) {
    for (auto k = static_cast<std::int64_t>(program.stars.size()) - 1; k >= 0; --k) {
      const LeafProgram::Star& star = program.stars[static_cast<std::size_t>(k)];
      const std::uint16_t* place = program.eliminations.data() + star.places_at;
      const std::uint16_t* neighbour = program.neighbours.data() + star.neighbours_at;
      double sum_S = 0;
      V sums_A[vectors] = {};
      for (std::int64_t a = 0; a < star.count; ++a) {
        const double g_S = places[place[a]];
        const V* from_V = reinterpret_cast<const V*>(node_V + neighbour[a] * stride);
        sum_S += g_S;
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sums_A[v] += from_V[v] * g_S;
      }
      const double scale = sum_S > 0 ? 1 / sum_S : 0;
      V* target_V = reinterpret_cast<V*>(node_V + k * stride);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) target_V[v] = sums_A[v] * scale;
    }
  }
};

}  // namespace

void substitute(const double* factor, std::int64_t nodes, std::int64_t eliminated, double* node_V, std::int64_t count,
                VectorUnit unit) {
  const std::int64_t stride = padded(nodes);
  for (std::int64_t last = eliminated; last > 0;) {
    const std::int64_t first = std::max(last - block, std::int64_t{0});
    if (nodes > last) {
      multiply(last - first, count, nodes - last, factor + first * stride + last, stride, node_V + last * count, count,
               0.0, node_V + first * count, count);
    } else {
      std::fill(node_V + first * count, node_V + last * count, 0.0);
    }
    run_kernel<WithinBlock>(unit, factor, nodes, first, last, node_V, count);
    last = first;
  }
}

void substitute(const LeafProgram& program, const double* places, double* node_V, std::int64_t count, VectorUnit unit) {
  run_kernel<Leaf, const LeafProgram&>(unit, program, places, node_V, count);
}

}  // namespace tellegen::circuits
