#pragma once
// Two tensors, element by element, with numpy's broadcasting.

#include <algorithm>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/models/tensor.h"

namespace tellegen::models {

/// Numpy's rule: aligned at the right, equal or one. At most one dimension may grow with the samples. Throws InputError.
Shape broadcast(const Shape& a, const Shape& b);

/// Neighbouring dimensions that both operands treat alike, as one: few long loops instead of many short ones.
struct BroadcastLoop {
  std::int64_t size = 1;
  std::int64_t step_a = 0, step_b = 0;  ///< 0 where the operand is broadcast
};
/// Innermost first.
std::vector<BroadcastLoop> plan_broadcast(const Shape& a, const Shape& b, const Shape& out);

/// out[i] = function(a[i], b[i]).
template <class T, class Function>
BasicTensor<T> combine(const BasicTensor<T>& a, const BasicTensor<T>& b, Function function) {
  BasicTensor<T> out;
  out.shape = broadcast(a.shape, b.shape);
  out.data.resize(static_cast<std::size_t>(element_count(out.shape)));
  const std::vector<BroadcastLoop> loops = plan_broadcast(a.shape, b.shape, out.shape);
  std::vector<std::int64_t> counters(loops.size(), 0);
  std::int64_t at_a = 0, at_b = 0;
  for (std::int64_t at = 0; at < out.size(); at += loops[0].size) {
    const T *x = a.data.data() + at_a, *y = b.data.data() + at_b;
    T* z = out.data.data() + at;
    if (loops[0].step_a != 0 && loops[0].step_b != 0)
      for (std::int64_t i = 0; i < loops[0].size; ++i) z[i] = function(x[i], y[i]);
    else if (loops[0].step_a != 0)
      for (std::int64_t i = 0; i < loops[0].size; ++i) z[i] = function(x[i], *y);
    else
      for (std::int64_t i = 0; i < loops[0].size; ++i) z[i] = function(*x, y[i]);
    for (std::size_t level = 1; level < loops.size(); ++level) {
      at_a += loops[level].step_a;
      at_b += loops[level].step_b;
      if (++counters[level] < loops[level].size) break;
      at_a -= counters[level] * loops[level].step_a;
      at_b -= counters[level] * loops[level].step_b;
      counters[level] = 0;
    }
  }
  return out;
}

}  // namespace tellegen::models
