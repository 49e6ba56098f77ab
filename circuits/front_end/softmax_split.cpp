#include "tellegen/circuits/front_end/softmax_split.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace ekv = devices::ekv;

double source_voltage(std::span<const double> v, std::span<const double> size, double tail) {
  TELLEGEN_ASSERT(!v.empty() && size.size() == v.size() && tail > 0);
  // Alone, transistor k would need v_k - v_source = v(tail / size_k): the true source lies at the highest of these or
  // above, and at most as much higher as n equal transistors would lift it.
  const auto n = static_cast<double>(v.size());
  double low = -HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t k = 0; k < v.size(); ++k) {
    low = std::max(low, v[k] - ekv::voltage_of_current(tail / size[k]));
    high = std::max(high, v[k] - ekv::voltage_of_current(tail / (n * size[k])));
  }
  double source = low;
  for (int step = 0; step < 100; ++step) {
    // The slope of i against v is q.
    double sum = 0, slope = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const double q = ekv::charge_of_voltage(v[k] - source);
      sum += size[k] * ekv::current_of_charge(q);
      slope += size[k] * q;
    }
    (sum > tail ? low : high) = source;
    const double next = std::clamp(source + std::log(sum / tail) * sum / slope, low, high);
    if (std::abs(next - source) <= 4e-16 * std::max(1.0, std::abs(next))) return next;
    source = next;
  }
  return source;
}

double split_tail(std::span<const double> v, std::span<const double> size, double tail, std::span<double> current) {
  TELLEGEN_ASSERT(current.size() == v.size());
  const double source = source_voltage(v, size, tail);
  for (std::size_t k = 0; k < v.size(); ++k) {
    current[k] = size[k] * ekv::current_of_charge(ekv::charge_of_voltage(v[k] - source));
  }
  return source;
}

double split_pair(double dv, double tail) {
  const std::array v{0.5 * dv, -0.5 * dv}, size{1.0, 1.0};
  std::array<double, 2> current{};
  split_tail(v, size, tail, current);
  return current[0];
}

void split_rows(std::span<const float> v, std::size_t n, std::span<const float> shift, std::span<const float> size,
                std::span<const unsigned char> masked, float tail, std::span<float> share) {
  split_rows(v, n, shift, size, masked, tail, share, best_vector_unit());
}

}  // namespace tellegen::circuits
