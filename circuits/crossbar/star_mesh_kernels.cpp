#include "tellegen/circuits/crossbar/star_mesh_kernels.h"

#include <algorithm>

#define TELLEGEN_TARGET_AVX2_FMA __attribute__((target("avx2,fma")))

namespace tellegen::circuits {
namespace {

template <int width>
struct Vector;
template <>
struct Vector<2> {
  using type = double __attribute__((vector_size(16), may_alias));
};
template <>
struct Vector<4> {
  using type = double __attribute__((vector_size(32), may_alias));
};
template <>
struct Vector<8> {
  using type = double __attribute__((vector_size(64), may_alias));
};

constexpr std::int64_t outer_block = 32;  // nodes eliminated before the rest of the front is updated
constexpr std::int64_t inner_block = 8;   // and before the rest of the outer block is
constexpr std::int64_t tile_columns = 8;

TELLEGEN_KERNEL std::int64_t rounded_down(std::int64_t row) { return row / front_alignment * front_alignment; }

/// Columns of a front update in tiles of `vectors` x width rows and `columns` columns that stay in registers.
template <int width, int vectors, int columns>
struct Tile {
  using V = typename Vector<width>::type;
  /// c[rows, columns] += x[rows, depth] q'[depth, columns]; `scaled` holds q with tile_columns entries per k.
  TELLEGEN_KERNEL static void run(double* c, std::int64_t stride, const double* x, std::int64_t depth,
                                  const double* scaled) {
    V sum[columns][vectors];
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) sum[j][v] = *reinterpret_cast<const V*>(c + j * stride + v * width);
    }
    for (std::int64_t k = 0; k < depth; ++k) {
      V column[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) column[v] = *reinterpret_cast<const V*>(x + k * stride + v * width);
#pragma GCC unroll 8
      for (int j = 0; j < columns; ++j) {
        const double q = scaled[k * tile_columns + j];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum[j][v] += column[v] * q;
      }
    }
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) {
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) *reinterpret_cast<V*>(c + j * stride + v * width) = sum[j][v];
    }
  }
};

template <int width, int columns>
struct Elimination {
  using V = typename Vector<width>::type;

  /// Columns [from, to) += what nodes [first, last) have become between them; 1 / sum g of those is in `inverse`.
  TELLEGEN_KERNEL static void update(const Front& front, std::int64_t first, std::int64_t last, const double* inverse,
                                     std::int64_t from, std::int64_t to) {
    alignas(64) double scaled[outer_block * tile_columns];
    const double* panel = front.data + first * front.stride;
    const std::int64_t depth = last - first;
    for (std::int64_t j = from; j < to; j += tile_columns) {
      const std::int64_t count = std::min(tile_columns, to - j);
      for (std::int64_t k = 0; k < depth; ++k) {
        const double* source = panel + k * front.stride + j;
        for (std::int64_t c = 0; c < count; ++c) scaled[k * tile_columns + c] = source[c] * inverse[k];
        for (std::int64_t c = count; c < tile_columns; ++c) scaled[k * tile_columns + c] = 0;
      }
      for (std::int64_t part = 0; part < tile_columns; part += columns) {
        double* c = front.data + (j + part) * front.stride;
        std::int64_t row = rounded_down(j);
        for (; row + 3 * width <= front.stride; row += 3 * width) {
          Tile<width, 3, columns>::run(c + row, front.stride, panel + row, depth, scaled + part);
        }
        for (; row < front.stride; row += width) {
          Tile<width, 1, columns>::run(c + row, front.stride, panel + row, depth, scaled + part);
        }
      }
    }
  }

  /// sum of the conductances of node k to all later ones.
  TELLEGEN_KERNEL static double total(const Front& front, std::int64_t k) {
    const double* column = front.data + k * front.stride;
    double sum = 0;
    std::int64_t row = k + 1;
    for (; row % front_alignment != 0; ++row) sum += column[row];
    V sums = {};
    for (; row < front.stride; row += width) sums += *reinterpret_cast<const V*>(column + row);
    for (int v = 0; v < width; ++v) sum += sums[v];
    return sum;
  }

  /// Nodes [first, last) one by one, as far as they change each other's columns.
  TELLEGEN_KERNEL static void panel(const Front& front, std::int64_t first, std::int64_t last, double* inverse) {
    for (std::int64_t k = first; k < last; ++k) {
      const double* column = front.data + k * front.stride;
      const double sum = total(front, k);
      const double scale = sum > 0 ? 1 / sum : 0;
      inverse[k - first] = scale;
      for (std::int64_t j = k + 1; j < last; ++j) {
        double* target = front.data + j * front.stride;
        const double q = column[j] * scale;
        for (std::int64_t row = rounded_down(j); row < front.stride; row += width) {
          *reinterpret_cast<V*>(target + row) += *reinterpret_cast<const V*>(column + row) * q;
        }
      }
    }
  }

  TELLEGEN_KERNEL static void run(const Front& front, std::int64_t count) {
    double inverse[outer_block];
    for (std::int64_t first = 0; first < count; first += outer_block) {
      const std::int64_t last = std::min(first + outer_block, count);
      for (std::int64_t k = first; k < last; k += inner_block) {
        const std::int64_t end = std::min(k + inner_block, last);
        panel(front, k, end, inverse + (k - first));
        if (end < last) update(front, k, end, inverse + (k - first), end, last);
      }
      update(front, first, last, inverse, last, front.nodes);
    }
  }
};

struct Leaves {
  using V = typename Vector<lanes>::type;

  TELLEGEN_KERNEL static void run(const LeafProgram& program, std::span<const LeafLane> leaves, double* work) {
    V* places = reinterpret_cast<V*>(work);
    for (std::int64_t place = 0; place < program.places; ++place) places[place] = V{};
    for (const LeafProgram::Stamp& stamp : program.stamps) {
      V& place = places[stamp.place];
      for (std::size_t lane = 0; lane < leaves.size(); ++lane) {
        place[lane] += leaves[lane].sources[static_cast<std::size_t>(stamp.source)][stamp.offset];
      }
    }
    const std::uint16_t* next = program.eliminations.data();
    const std::uint16_t* end = next + program.eliminations.size();
    while (next != end) {
      const int neighbours = *next++;
      const std::uint16_t* star = next;
      next += neighbours;
      V sum{};
      for (int a = 0; a < neighbours; ++a) sum += places[star[a]];
      V scale{};
      for (int lane = 0; lane < lanes; ++lane) scale[lane] = sum[lane] > 0 ? 1 / sum[lane] : 0;
      for (int b = 0; b < neighbours; ++b) {
        const V q = places[star[b]] * scale;
        for (int a = b + 1; a < neighbours; ++a) places[*next++] += places[star[a]] * q;
      }
    }
    for (std::size_t lane = 0; lane < leaves.size(); ++lane) {
      if (leaves[lane].places == nullptr) continue;
      for (std::int64_t place = 0; place < program.places; ++place) leaves[lane].places[place] = places[place][lane];
    }
    const std::int32_t* kept = program.kept.data();
    for (std::int64_t q = 0; q < program.kept_nodes; ++q) {
      for (std::int64_t p = q + 1; p < program.kept_nodes; ++p, ++kept) {
        const V value = *kept < 0 ? V{} : places[*kept];
        for (std::size_t lane = 0; lane < leaves.size(); ++lane) {
          const Front& out = leaves[lane].out;
          out.data[q * out.stride + p] = value[lane];
        }
      }
    }
  }
};

struct Addition {
  /// into[to_p, to_q] += from[p, q] for one pair of runs that falls in the lower triangle.
  TELLEGEN_KERNEL static void straight(const Front& into, const double* from, std::int64_t stride, const Run& rows,
                                       const Run& columns) {
    const bool diagonal = rows.from == columns.from;
    for (std::int64_t q = 0; q < columns.length; ++q) {
      const double* source = from + (columns.from + q) * stride + rows.from;
      double* target = into.data + (columns.to + q) * into.stride + rows.to;
      for (std::int64_t p = diagonal ? q + 1 : 0; p < rows.length; ++p) target[p] += source[p];
    }
  }

  /// The same for a pair that falls in the upper triangle: transposed, a few rows at a time so that their cache lines
  /// are used whole.
  TELLEGEN_KERNEL static void transposed(const Front& into, const double* from, std::int64_t stride, const Run& rows,
                                         const Run& columns) {
    constexpr std::int64_t strip = 8;
    for (std::int64_t first = 0; first < rows.length; first += strip) {
      const std::int64_t last = std::min(first + strip, rows.length);
      for (std::int64_t q = 0; q < columns.length; ++q) {
        const double* source = from + (columns.from + q) * stride + rows.from;
        double* target = into.data + rows.to * into.stride + columns.to + q;
        for (std::int64_t p = first; p < last; ++p) target[p * into.stride] += source[p];
      }
    }
  }

  TELLEGEN_KERNEL static void run(const Front& into, const double* from, std::int64_t stride,
                                  std::span<const Run> runs) {
    for (std::size_t column = 0; column < runs.size(); ++column) {
      for (std::size_t row = column; row < runs.size(); ++row) {
        const bool swapped = runs[row].to < runs[column].to;
        if (swapped) {
          transposed(into, from, stride, runs[row], runs[column]);
        } else {
          straight(into, from, stride, runs[row], runs[column]);
        }
      }
    }
  }
};

TELLEGEN_TARGET_AVX512 void add_avx512(const Front& into, const double* from, std::int64_t stride,
                                       std::span<const Run> runs) {
  Addition::run(into, from, stride, runs);
}
void add_baseline(const Front& into, const double* from, std::int64_t stride, std::span<const Run> runs) {
  Addition::run(into, from, stride, runs);
}

TELLEGEN_TARGET_AVX512 void eliminate_avx512(const Front& front, std::int64_t count) {
  Elimination<8, 8>::run(front, count);
}
TELLEGEN_TARGET_AVX2_FMA void eliminate_avx2(const Front& front, std::int64_t count) {
  Elimination<4, 4>::run(front, count);
}
void eliminate_baseline(const Front& front, std::int64_t count) { Elimination<2, 4>::run(front, count); }

TELLEGEN_TARGET_AVX512 void leaves_avx512(const LeafProgram& p, std::span<const LeafLane> l, double* w) {
  Leaves::run(p, l, w);
}
TELLEGEN_TARGET_AVX2_FMA void leaves_avx2(const LeafProgram& p, std::span<const LeafLane> l, double* w) {
  Leaves::run(p, l, w);
}
void leaves_baseline(const LeafProgram& p, std::span<const LeafLane> l, double* w) { Leaves::run(p, l, w); }

/// An AVX2 machine without fused multiply-add takes the baseline.
VectorUnit usable(VectorUnit unit) {
  return unit == VectorUnit::avx2 && __builtin_cpu_supports("fma") == 0 ? VectorUnit::baseline : unit;
}

}  // namespace

void clear(const Front& front) {
  for (std::int64_t q = 0; q < front.nodes; ++q) {
    std::fill(front.data + q * front.stride + rounded_down(q), front.data + (q + 1) * front.stride, 0.0);
  }
  std::fill(front.data + front.nodes * front.stride, front.data + (front.nodes + front_alignment) * front.stride, 0.0);
}

void add(const Front& into, const Front& child, std::int64_t first, std::span<const Run> runs) {
  const double* from = child.data + first * child.stride + first;
  if (best_vector_unit() == VectorUnit::avx512) {
    add_avx512(into, from, child.stride, runs);
  } else {
    add_baseline(into, from, child.stride, runs);
  }
}

void eliminate(const Front& front, std::int64_t count, VectorUnit unit) {
  switch (usable(unit)) {
    case VectorUnit::avx512:
      return eliminate_avx512(front, count);
    case VectorUnit::avx2:
      return eliminate_avx2(front, count);
    case VectorUnit::baseline:
      break;
  }
  eliminate_baseline(front, count);
}

void run(const LeafProgram& program, std::span<const LeafLane> leaves, double* work, VectorUnit unit) {
  switch (usable(unit)) {
    case VectorUnit::avx512:
      return leaves_avx512(program, leaves, work);
    case VectorUnit::avx2:
      return leaves_avx2(program, leaves, work);
    case VectorUnit::baseline:
      break;
  }
  leaves_baseline(program, leaves, work);
}

}  // namespace tellegen::circuits
