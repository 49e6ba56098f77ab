#include "tellegen/circuits/front_end/tabulated_gate_kernels.h"

#include "tellegen/base/error.h"
#include "tellegen/devices/real_math.h"

namespace tellegen::circuits {
namespace {

struct CurveKernel {
  TELLEGEN_KERNEL static void run(const CurveTable* table, bool times_x, float gain, std::size_t size, const float* x,
                                  const float* shift, const float* gain_error, float* sum) {
    const float low = table->low, high = table->high, per_step = table->per_step;
    const float* values = table->values.data();
    const float last = static_cast<float>(table->values.size() - 4);
    const float of_one = times_x ? 0.0f : 1.0f, of_x = times_x ? 1.0f : 0.0f;
    for (std::size_t i = 0; i < size; ++i) {
      const float at = (devices::clamped(x[i] - shift[i], low, high) - low) * per_step;
      const int cell = static_cast<int>(at < last ? at : last);
      const float t = at - static_cast<float>(cell);
      const float a = values[cell], b = values[cell + 1], c = values[cell + 2], d = values[cell + 3];
      const float third = (d - a) + 3.0f * (b - c), second = 3.0f * (a - 2.0f * b + c);
      const float first = 6.0f * c - 2.0f * a - 3.0f * b - d;
      const float curve = b + t * (1.0f / 6) * (first + t * (second + t * third));
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
  TELLEGEN_ASSERT(shift.size() == x.size() && gain_error.size() == x.size() && sum.size() == x.size());
  run_kernel<CurveKernel>(unit, &table, times_x, gain, x.size(), x.data(), shift.data(), gain_error.data(), sum.data());
}

}  // namespace tellegen::circuits
