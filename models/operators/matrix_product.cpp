#include "tellegen/models/operators/matrix_product.h"

#include "tellegen/models/operators/broadcast.h"
#include "tellegen/models/operators/dense_product.h"

namespace tellegen::models {

Shape MatrixProduct::output_shape(std::span<const Shape> inputs) const {
  const Shape &a = inputs[0], &b = inputs[1];
  const auto refuse = [&](const char* why) {
    throw InputError("multiplies shapes '" + to_string(a) + "' and '" + to_string(b) + "'; " + why);
  };
  if (a.size() < 2 || b.size() < 2) refuse("two matrices are needed.");
  const std::int64_t inner = a.back();
  if (inner != b[b.size() - 2]) refuse("the last dimension of the first must be the last but one of the second.");
  if (is_batch(inner)) refuse("it sums over the batch, and samples must stay apart.");
  Shape shape = broadcast({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  shape.push_back(a[a.size() - 2]);
  shape.push_back(b.back());
  if (std::count_if(shape.begin(), shape.end(), is_batch) > 1) refuse("samples must stay apart.");
  return shape;
}

Tensor MatrixProduct::run(std::span<const Tensor* const> inputs) const {
  const Tensor &a = *inputs[0], &b = *inputs[1];
  const Shape shapes[] = {a.shape, b.shape};
  Tensor out;
  out.shape = output_shape(shapes);
  out.data.resize(static_cast<std::size_t>(element_count(out.shape)));
  const std::size_t rank = out.shape.size();
  const std::int64_t m = out.shape[rank - 2], n = out.shape[rank - 1], k = a.shape.back();
  const Shape lead(out.shape.begin(), out.shape.end() - 2), lead_a(a.shape.begin(), a.shape.end() - 2),
      lead_b(b.shape.begin(), b.shape.end() - 2);
  const std::vector<BroadcastLoop> loops = plan_broadcast(lead_a, lead_b, lead);
  std::vector<std::int64_t> counters(loops.size(), 0);
  std::int64_t at_a = 0, at_b = 0;
  const std::int64_t count = element_count(lead);
  for (std::int64_t at = 0; at < count; ++at) {
    dense_product(m, n, k, a.data.data() + at_a * m * k, k, b.data.data() + at_b * k * n, n, 0.0F,
                  out.data.data() + at * m * n, n);
    for (std::size_t level = 0; level < loops.size(); ++level) {
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
