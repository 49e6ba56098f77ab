#include "tellegen/models/operators/broadcast.h"

namespace tellegen::models {

Shape broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  bool fits = true;
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    std::int64_t& dimension = result[offset + axis];
    fits = fits && (dimension == shorter[axis] || dimension == 1 || shorter[axis] == 1);
    if (dimension == 1) dimension = shorter[axis];
  }
  fits = fits && std::count_if(result.begin(), result.end(), is_batch) <= 1;
  if (!fits)
    throw InputError("cannot combine shapes '" + to_string(a) + "' and '" + to_string(b) +
                     "'. Dimensions must be equal or 1, and the batch must stay one dimension.");
  return result;
}

std::vector<BroadcastLoop> plan_broadcast(const Shape& a, const Shape& b, const Shape& out) {
  std::vector<BroadcastLoop> loops;
  std::int64_t stride_a = 1, stride_b = 1;
  bool last_a = false, last_b = false;
  for (std::size_t back = 1; back <= out.size(); ++back) {
    const std::int64_t size = out[out.size() - back];
    const std::int64_t size_a = back <= a.size() ? a[a.size() - back] : 1,
                       size_b = back <= b.size() ? b[b.size() - back] : 1;
    if (size != 1) {
      const bool moves_a = size_a != 1, moves_b = size_b != 1;
      if (!loops.empty() && moves_a == last_a && moves_b == last_b)
        loops.back().size *= size;
      else
        loops.push_back({size, moves_a ? stride_a : 0, moves_b ? stride_b : 0});
      last_a = moves_a;
      last_b = moves_b;
    }
    stride_a *= size_a;
    stride_b *= size_b;
  }
  if (loops.empty()) loops.push_back({});
  return loops;
}

}  // namespace tellegen::models
