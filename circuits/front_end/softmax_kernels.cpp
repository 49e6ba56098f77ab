// The splitting of a tail current among n transistors, 16 rows side by side.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

constexpr std::size_t lanes = 16;
/// A masked transistor stands this far below the others: its charge is below the smallest float.
constexpr float far_below = 1e4f;
/// Newton on the logarithm of the sum squares its error each time and is at rounding after three steps in weak
/// inversion; strong inversion and unequal voltages take up to seven.
constexpr int newton_steps = 8;
/// A step this small was the last that mattered: the next would be its square.
constexpr float small_step = 1e-4f;

/// 16 rows: v[k][lane] with shifts added, larger ones first subtracted so that the largest is 0.
struct Group {
  const float* v;
  const float* size;
  std::size_t n;
  float tail, low_at_zero, high_at_zero;  ///< source voltages of one and of n transistors at v = 0
};

struct SplitKernel {
  TELLEGEN_KERNEL static void run(const Group* group, float* share) {
    std::array<float, lanes> low, high, source;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      low[lane] = source[lane] = group->low_at_zero;
      high[lane] = group->high_at_zero;
    }
    for (int step = 0; step < newton_steps; ++step) {
      std::array<float, lanes> sum{}, slope{};
      for (std::size_t k = 0; k < group->n; ++k) {
        const float* v = group->v + k * lanes;
        const float size = group->size[k];
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const float q = ekv::charge_of_voltage(v[lane] - source[lane]);
          sum[lane] += size * ekv::current_of_charge(q);
          slope[lane] += size * q;
        }
      }
      float largest = 0;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const bool too_low = sum[lane] > group->tail;
        low[lane] = too_low ? source[lane] : low[lane];
        high[lane] = too_low ? high[lane] : source[lane];
        const float next = source[lane] + devices::ln(sum[lane] / group->tail) * sum[lane] / slope[lane];
        const float inside = devices::clamped(next, low[lane], high[lane]);
        const float move = inside > source[lane] ? inside - source[lane] : source[lane] - inside;
        largest = move > largest ? move : largest;
        source[lane] = inside;
      }
      if (largest < small_step) break;
    }
    std::array<float, lanes> sum{};
    for (std::size_t k = 0; k < group->n; ++k) {
      const float* v = group->v + k * lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const float q = ekv::charge_of_voltage(v[lane] - source[lane]);
        const float i = group->size[k] * ekv::current_of_charge(q);
        share[k * lanes + lane] = i;
        sum[lane] += i;
      }
    }
    // What is left of the residual is common to all: divided out, so that the shares sum to 1 as the tail commands.
    for (std::size_t k = 0; k < group->n; ++k) {
      for (std::size_t lane = 0; lane < lanes; ++lane) share[k * lanes + lane] /= sum[lane];
    }
  }
};

}  // namespace

void split_rows(std::span<const float> v, std::size_t n, std::span<const float> shift, std::span<const float> size,
                std::span<const unsigned char> masked, float tail, std::span<float> share, VectorUnit unit) {
  TELLEGEN_ASSERT(n > 0 && v.size() % n == 0 && share.size() == v.size() && tail > 0);
  TELLEGEN_ASSERT((shift.empty() || shift.size() == n) && (size.empty() || size.size() == n));
  TELLEGEN_ASSERT(masked.empty() || masked.size() == v.size());
  const std::size_t rows = v.size() / n;
  std::vector<float> sizes(n, 1.0f);
  std::copy(size.begin(), size.end(), sizes.begin());
  const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end());
  std::vector<float> voltages(n * lanes), answers(n * lanes);
  // The highest voltage is at 0: one transistor of it lies between these two.
  const Group group{
      voltages.data(),
      sizes.data(),
      n,
      tail,
      static_cast<float>(-ekv::voltage_of_current(static_cast<double>(tail) / *smallest)) - 1e-3f,
      static_cast<float>(-ekv::voltage_of_current(static_cast<double>(tail) / (static_cast<double>(n) * *largest))) +
          1e-3f};
  for (std::size_t first = 0; first < rows; first += lanes) {
    const std::size_t here = std::min(lanes, rows - first);
    std::array<bool, lanes> empty{};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t row = (first + std::min(lane, here - 1)) * n;  // spare lanes repeat the last row
      float top = -HUGE_VALF;
      for (std::size_t k = 0; k < n; ++k) {
        const bool out = !masked.empty() && masked[row + k] != 0;
        const float at = out ? -HUGE_VALF : v[row + k] + (shift.empty() ? 0.0f : shift[k]);
        voltages[k * lanes + lane] = at;
        top = std::max(top, at);
      }
      empty[lane] = !(top > -HUGE_VALF);
      for (std::size_t k = 0; k < n; ++k) {
        float& at = voltages[k * lanes + lane];
        at = empty[lane] ? 0.0f : std::max(at - top, -far_below);
      }
    }
    run_kernel<SplitKernel>(unit, &group, answers.data());
    for (std::size_t lane = 0; lane < here; ++lane) {
      for (std::size_t k = 0; k < n; ++k) {
        const bool out = empty[lane] || voltages[k * lanes + lane] <= -far_below;
        share[(first + lane) * n + k] = out ? 0.0f : answers[k * lanes + lane];
      }
    }
  }
}

}  // namespace tellegen::circuits
