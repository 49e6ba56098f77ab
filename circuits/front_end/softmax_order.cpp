#include "tellegen/circuits/front_end/softmax_order.h"

namespace tellegen::circuits {
namespace {

/// Adds steps, each with a place of its own for its answer.
struct Builder {
  LseOrder order;
  explicit Builder(std::size_t n) {
    order.values = n;
    order.exclusive.assign(n, LseOrder::nothing);
  }
  /// LSE with nothing is the other one and takes no cell.
  std::size_t add(std::size_t a, std::size_t b) {
    if (a == LseOrder::nothing) return b;
    if (b == LseOrder::nothing) return a;
    order.steps.push_back({a, b, order.values});
    return order.values++;
  }
};

}  // namespace

LseOrder tree_order(std::size_t n) {
  Builder builder(n);
  if (n < 2) return builder.order;
  // Nodes 1 .. 2 n - 1, children of i at 2 i and 2 i + 1, inputs at n .. 2 n - 1.
  std::vector<std::size_t> up(2 * n, LseOrder::nothing), without(2 * n, LseOrder::nothing);
  for (std::size_t k = 0; k < n; ++k) up[n + k] = k;
  for (std::size_t i = n - 1; i >= 2; --i) up[i] = builder.add(up[2 * i], up[2 * i + 1]);
  for (std::size_t i = 1; i < n; ++i) {
    without[2 * i] = builder.add(without[i], up[2 * i + 1]);
    without[2 * i + 1] = builder.add(without[i], up[2 * i]);
  }
  for (std::size_t k = 0; k < n; ++k) builder.order.exclusive[k] = without[n + k];
  return builder.order;
}

LseOrder chain_order(std::size_t n) {
  Builder builder(n);
  if (n < 2) return builder.order;
  std::vector<std::size_t> before(n, LseOrder::nothing), after(n, LseOrder::nothing);
  for (std::size_t k = 1; k < n; ++k) before[k] = builder.add(before[k - 1], k - 1);
  for (std::size_t k = n - 1; k-- > 0;) after[k] = builder.add(after[k + 1], k + 1);
  for (std::size_t k = 0; k < n; ++k) builder.order.exclusive[k] = builder.add(before[k], after[k]);
  return builder.order;
}

}  // namespace tellegen::circuits
