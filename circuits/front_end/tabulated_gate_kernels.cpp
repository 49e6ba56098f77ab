#include "tellegen/circuits/front_end/tabulated_gate_kernels.h"

#include <cstdint>

#include "tellegen/base/error.h"
#include "tellegen/devices/real_math.h"

namespace tellegen::circuits {
namespace {

/// Looking up stands alone between two loops because it does not vectorise.
struct alignas(64) Work {
  std::int32_t piece[curve_chunk];
  float along[curve_chunk];
  std::array<float, 4> coefficients[curve_chunk];
};

struct CurveKernel {
  TELLEGEN_KERNEL static void run(const CurveTable* table, bool times_x, float gain, std::int32_t size, const float* x,
                                  const float* shift, const float* gain_error, float* __restrict sum) {
    Work work;
    const float low = table->low, high = table->high, per_step = table->per_step;
    const auto last = static_cast<float>(table->pieces.size() - 1);
    for (std::int32_t i = 0; i < size; ++i) {
      const float at = (devices::clamped(x[i] - shift[i], low, high) - low) * per_step;
      const auto piece = static_cast<std::int32_t>(at < last ? at : last);
      work.piece[i] = piece;
      work.along[i] = at - static_cast<float>(piece);
    }
    const std::array<float, 4>* pieces = table->pieces.data();
    for (std::int32_t i = 0; i < size; ++i) work.coefficients[i] = pieces[work.piece[i]];
    const float of_one = times_x ? 0.0f : 1.0f, of_x = times_x ? 1.0f : 0.0f;
    for (std::int32_t i = 0; i < size; ++i) {
      const float t = work.along[i];
      const float* c = work.coefficients[i].data();
      const float curve = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
      sum[i] += (gain + gain_error[i]) * (of_one + of_x * x[i]) * curve;
    }
  }
};

}  // namespace

void add_curve(const CurveTable& table, bool times_x, float gain, std::span<const float> x,
               std::span<const float> shift, std::span<const float> gain_error, std::span<float> sum) {
  add_curve(table, times_x, gain, x, shift, gain_error, sum, best_vector_unit());
}

void add_curve(const CurveTable& table, bool times_x, float gain, std::span<const float> x,
               std::span<const float> shift, std::span<const float> gain_error, std::span<float> sum, VectorUnit unit) {
  TELLEGEN_ASSERT(x.size() <= curve_chunk && shift.size() == x.size() && gain_error.size() == x.size() &&
                  sum.size() == x.size());
  run_kernel<CurveKernel>(unit, &table, times_x, gain, static_cast<std::int32_t>(x.size()), x.data(), shift.data(),
                          gain_error.data(), sum.data());
}

}  // namespace tellegen::circuits
