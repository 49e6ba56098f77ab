#include "tellegen/models/gating/tg_softmax.h"

namespace tellegen::models::gating {

SoftmaxCounts softmax_counts(std::int64_t entries) {
  if (entries < 2) return {0, 0};  // a single entry is 1, whatever it is
  return {3 * entries - 6, entries};
}

SoftmaxCounts causal_softmax_counts(std::int64_t length) {
  SoftmaxCounts total;
  for (std::int64_t entries = 1; entries <= length; ++entries) {
    const SoftmaxCounts row = softmax_counts(entries);
    total.lse += row.lse;
    total.gates += row.gates;
  }
  return total;
}

}  // namespace tellegen::models::gating
