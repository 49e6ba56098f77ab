#pragma once
// How many operations a softmax out of log-sum-exp cells takes.

#include <cstdint>

namespace tellegen::circuits {

/// Log-sum-exps of two values for all n exclusive log-sum-exps, by tree or by prefix and suffix: 3 n - 6, none for n < 3.
constexpr std::int64_t exclusive_lse_cells(std::int64_t n) { return n < 3 ? 0 : 3 * n - 6; }
/// Cells one after another: from leaf to root and down again, at most (as many where n is a power of 2), or along the
/// row.
constexpr std::int64_t tree_depth(std::int64_t n) {
  std::int64_t levels = 0;
  while ((std::int64_t{1} << levels) < n) ++levels;
  return n < 3 ? 0 : 2 * levels - 2;
}
constexpr std::int64_t chain_depth(std::int64_t n) { return n < 3 ? 0 : n - 2; }

/// Causal attention over a sequence of length T, one head: row t has t inputs.
struct AttentionCounts {
  std::int64_t lse_cells = 0;  ///< 3 T (T + 1) / 2 - 6 T + 3
  std::int64_t gates = 0;      ///< one per score: T (T + 1) / 2
};
constexpr AttentionCounts causal_attention(std::int64_t length) {
  AttentionCounts counts;
  counts.gates = length * (length + 1) / 2;
  for (std::int64_t n = 3; n <= length; ++n) counts.lse_cells += exclusive_lse_cells(n);
  return counts;
}
/// Every query sees all keys.
constexpr AttentionCounts full_attention(std::int64_t length) {
  return {length * exclusive_lse_cells(length), length * length};
}

}  // namespace tellegen::circuits
