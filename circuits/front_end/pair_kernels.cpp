// Compiled with -O3 -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that the loops become vector code.
#include "tellegen/circuits/front_end/pair_kernels.h"

#include <algorithm>

#include "tellegen/circuits/front_end/pair_table.h"
#include "tellegen/devices/real_math.h"

namespace tellegen::circuits::kernels {
namespace {

TELLEGEN_KERNEL float root(float x) { return __builtin_sqrtf(x); }

/// Not a number becomes `low`, so that it cannot lead out of a table.
TELLEGEN_KERNEL float clip(float x, float low, float high) {
  x = x > low ? x : low;
  return x < high ? x : high;
}

/// The tail current that the design asks for at x.
TELLEGEN_KERNEL float nominal_tail(const PairConstants& p, float x) {
  const float s = p.tail_constant + p.tail_slope * clip(x, p.signal_low, p.signal_high);
  const float class_ab = 0.5f * (p.split * s + root(s * s + 4.0f * p.quiescent2));
  const float tail = p.split != 0.0f ? class_ab : s;
  return tail > 0.0f ? tail : 0.0f;
}

struct Contribution {
  float current, variance, out, out_variance;
};

/// What a pair adds at a share of its tail current.
TELLEGEN_KERNEL Contribution contribution(const PairConstants& p, float share, float tail, float tail_variance) {
  const float swing = tail * (share * (1.0f - share));
  const float own = p.partition * swing + p.gate_variance * (swing * swing);
  const float of_tail = tail_variance + tail * (p.tail_white + p.tail_flicker * tail);
  const float above = share - p.pedestal;
  Contribution c;
  c.current = p.weight * (tail * above);
  c.out = tail * share;
  c.variance =
      (p.weight * p.weight) * (own + of_tail * (above * above)) + (p.mirror_two * tail + p.mirror_step * c.out);
  c.out_variance = own + of_tail * (share * share);
  return c;
}

/// What the three steps of a pair hand to each other: looking up stands alone because it does not vectorise.
struct alignas(64) Work {
  float tail[chunk], sigmoid[chunk], sign[chunk], along[chunk], across[chunk];
  std::int32_t cell[chunk];
  float corners[4 * chunk];
};

/// Where in the table the pair stands, from dv and 4 ic of the tail current.
TELLEGEN_KERNEL void locate(float dv, float four_ic, float rows_per_w, Work& __restrict work, std::int64_t i) {
  constexpr float last_column = static_cast<float>(PairTable::columns) - 0.001f;
  constexpr float last_row = static_cast<float>(PairTable::rows) - 0.001f;
  const float r = root(1.0f + four_ic);
  const float per = 1.0f / (1.0f + r);
  const float u = 2.0f * dv * per;
  work.sign[i] = u < 0.0f ? -1.0f : 1.0f;
  const float column = clip((u < 0.0f ? -u : u) * static_cast<float>(PairTable::nodes_per_u), 0.0f, last_column);
  const float row = clip((r - 1.0f) * per * rows_per_w, 0.0f, last_row);
  const auto c = static_cast<std::int32_t>(column), w = static_cast<std::int32_t>(row);
  work.cell[i] = w * PairTable::columns + c;
  work.along[i] = column - static_cast<float>(c);
  work.across[i] = row - static_cast<float>(w);
  work.sigmoid[i] = 1.0f / (1.0f + devices::exponential(-u));
}

TELLEGEN_KERNEL void look_up(const float* __restrict cells, std::int64_t count, Work& __restrict work) {
  for (std::int64_t i = 0; i < count; ++i) {
    __builtin_memcpy(work.corners + 4 * i, cells + 4 * std::int64_t{work.cell[i]}, 4 * sizeof(float));
  }
}

/// sigma(u) + the departure of inversion. Kept within 0 and 1: far out the table is off by a rounding, and a share below
/// 0 would have a negative variance.
TELLEGEN_KERNEL float share_of(const Work& work, std::int64_t i) {
  const float* corner = work.corners + 4 * i;
  const float upper = corner[0] + work.along[i] * (corner[1] - corner[0]);
  const float lower = corner[2] + work.along[i] * (corner[3] - corner[2]);
  const float share = work.sigmoid[i] + work.sign[i] * (upper + work.across[i] * (lower - upper));
  return share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
}

template <bool with_errors, bool stacked>
struct AddPair {
  static TELLEGEN_KERNEL void run(PairConstants p, TableView table, PairErrors e, PairStack s,
                                  const float* __restrict x, std::int64_t count, float* __restrict y,
                                  float* __restrict variance) {
    Work work;
    const float* __restrict theta_error = e.theta;
    const float* __restrict sharpness = e.sharpness;
    const float* __restrict gain = e.gain;
    for (std::int64_t i = 0; i < count; ++i) work.tail[i] = nominal_tail(p, x[i]);
    if constexpr (stacked) {
      if (s.tail_in != nullptr) std::copy_n(s.tail_in, count, work.tail);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      float above = clip(x[i], p.gate_low, p.gate_high) - p.theta;
      float scale = p.dv_per_x, tail = work.tail[i];
      if constexpr (with_errors) {
        above -= theta_error[i];
        scale *= 1.0f + sharpness[i];
        tail *= 1.0f + gain[i];
      }
      work.tail[i] = tail;
      locate(scale * above, p.four_ic * tail, table.rows_per_w, work, i);
    }
    look_up(table.cells, count, work);
    if constexpr (stacked) {
      finish_stacked(p, s, work, count, y, variance);
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        const Contribution c = contribution(p, share_of(work, i), work.tail[i], 0.0f);
        y[i] += c.current;
        variance[i] += c.variance;
      }
    }
  }

 private:
  static TELLEGEN_KERNEL void finish_stacked(const PairConstants& p, const PairStack& s, const Work& work,
                                             std::int64_t count, float* __restrict y, float* __restrict variance) {
    for (std::int64_t i = 0; i < count; ++i) {
      const float variance_in = s.variance_in != nullptr ? s.variance_in[i] : 0.0f;
      const Contribution c = contribution(p, share_of(work, i), work.tail[i], variance_in);
      y[i] += c.current;
      variance[i] += c.variance;
      if (s.tail_out != nullptr) s.tail_out[i] = c.out;
      if (s.variance_out != nullptr) s.variance_out[i] = c.out_variance;
    }
  }
};

template <bool with_errors, bool with_noise>
struct AddComparator {
  static TELLEGEN_KERNEL void run(PairConstants p, PairErrors e, float deviation, const float* __restrict normals,
                                  std::int64_t stride, const float* __restrict x, std::int64_t count,
                                  float* __restrict y, float* __restrict variance) {
    for (std::int64_t i = 0; i < count; ++i) {
      float above = x[i] - p.theta;
      float tail = nominal_tail(p, x[i]);
      if constexpr (with_noise) above += deviation * normals[i * stride];
      if constexpr (with_errors) {
        above -= e.theta[i];
        tail *= 1.0f + e.gain[i];
      }
      const float share = above > 0.0f ? 1.0f : above < 0.0f ? 0.0f : 0.5f;
      const Contribution c = contribution(p, share, tail, 0.0f);
      y[i] += c.current;
      variance[i] += c.variance;
    }
  }
};

template <bool with_errors>
struct Start {
  static TELLEGEN_KERNEL void run(float slope, float constant, const float* __restrict gain, float low, float high,
                                  float floor, const float* __restrict x, std::int64_t count, float* __restrict y,
                                  float* __restrict variance) {
    for (std::int64_t i = 0; i < count; ++i) {
      float base = slope * clip(x[i], low, high) + constant;
      if constexpr (with_errors) base *= 1.0f + gain[i];
      // Clipping would make a number of what is not one.
      y[i] = x[i] == x[i] ? base : x[i];
      variance[i] = floor;
    }
  }
};

struct AddNoise {
  static TELLEGEN_KERNEL void run(const float* __restrict variance, const float* __restrict normals,
                                  std::int64_t stride, std::int64_t count, float* __restrict y) {
    if (stride == 1) {
      for (std::int64_t i = 0; i < count; ++i) y[i] += root(variance[i]) * normals[i];
    } else {
      for (std::int64_t i = 0; i < count; ++i) y[i] += root(variance[i]) * normals[i * stride];
    }
  }
};

}  // namespace

void add_pair(VectorUnit unit, const PairConstants& pair, const TableView& table, const PairErrors& errors,
              const float* x, std::int64_t count, float* y, float* variance) {
  if (errors.theta != nullptr) {
    run_kernel<AddPair<true, false>>(unit, pair, table, errors, PairStack{}, x, count, y, variance);
  } else {
    run_kernel<AddPair<false, false>>(unit, pair, table, errors, PairStack{}, x, count, y, variance);
  }
}

void add_stacked_pair(VectorUnit unit, const PairConstants& pair, const TableView& table, const PairErrors& errors,
                      const PairStack& stack, const float* x, std::int64_t count, float* y, float* variance) {
  if (errors.theta != nullptr) {
    run_kernel<AddPair<true, true>>(unit, pair, table, errors, stack, x, count, y, variance);
  } else {
    run_kernel<AddPair<false, true>>(unit, pair, table, errors, stack, x, count, y, variance);
  }
}

void add_comparator(VectorUnit unit, const PairConstants& pair, const PairErrors& errors, float deviation,
                    const float* normals, std::int64_t stride, const float* x, std::int64_t count, float* y,
                    float* variance) {
  const auto go = [&]<bool with_errors, bool with_noise>() {
    run_kernel<AddComparator<with_errors, with_noise>>(unit, pair, errors, deviation, normals, stride, x, count, y,
                                                       variance);
  };
  const bool with_errors = errors.theta != nullptr, with_noise = normals != nullptr;
  if (with_errors && with_noise) go.template operator()<true, true>();
  if (with_errors && !with_noise) go.template operator()<true, false>();
  if (!with_errors && with_noise) go.template operator()<false, true>();
  if (!with_errors && !with_noise) go.template operator()<false, false>();
}

void start(VectorUnit unit, float slope, float constant, const float* gain, float low, float high, float floor,
           const float* x, std::int64_t count, float* y, float* variance) {
  if (gain != nullptr) {
    run_kernel<Start<true>>(unit, slope, constant, gain, low, high, floor, x, count, y, variance);
  } else {
    run_kernel<Start<false>>(unit, slope, constant, gain, low, high, floor, x, count, y, variance);
  }
}

void add_noise(VectorUnit unit, const float* variance, const float* normals, std::int64_t stride, std::int64_t count,
               float* y) {
  run_kernel<AddNoise>(unit, variance, normals, stride, count, y);
}

}  // namespace tellegen::circuits::kernels
