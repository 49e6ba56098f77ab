#pragma once
// In which order cells make all exclusive log-sum-exps of a row.

#include <cstddef>
#include <vector>

namespace tellegen::circuits {

/// One cell: values[out] = LSE(values[a], values[b]).
struct LseStep {
  std::size_t a, b, out;
};
/// values 0 .. n - 1 are the inputs; exclusive[k] is the place of the log-sum-exp of all inputs but k, or `nothing`
/// where there are none.
struct LseOrder {
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  std::size_t values = 0;
  std::vector<LseStep> steps;
  std::vector<std::size_t> exclusive;
};

/// Up to the children of the root, then down: depth 2 ceil(log2 n) - 2.
LseOrder tree_order(std::size_t n);
/// Prefixes, suffixes, and one of each: depth n - 2.
LseOrder chain_order(std::size_t n);

}  // namespace tellegen::circuits
