#include "tellegen/sim/engine/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "tellegen/base/error.h"

namespace tellegen::sim {

std::span<const MetricKind> metric_kinds() {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  static constexpr std::array<MetricKind, 7> kinds{
      {{"top1", "accuracy", "fraction", 0, 1, true},
       {"top5", "accuracy of the first five", "fraction", 0, 1, true},
       {"nll", "negative log-likelihood", "nat", 0, kNoLimit, false},
       {"perplexity", "perplexity", "1", 1, kNoLimit, false},
       {"character_error_rate", "character error rate", "fraction", 0, kNoLimit, false},
       {"exact", "lines without an error", "fraction", 0, 1, true},
       {"auc", "area under the curve", "1", 0, 1, true}}};
  return kinds;
}

const MetricKind& metric_kind(const std::string& name) {
  const std::span<const MetricKind> kinds = metric_kinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const MetricKind& kind) { return kind.name == name; });
  TELLEGEN_ASSERT(found != kinds.end());
  return *found;
}

const models::Figure& figure_named(std::span<const models::Figure> figures, const std::string& name,
                                   const std::string& set) {
  std::string known;
  for (const models::Figure& figure : figures) {
    if (figure.name == name) return figure;
    known += (known.empty() ? "" : ", ") + figure.name;
  }
  throw InputError(
      fmt::format("network.metric = '{}' is not a metric of the test set '{}'; allowed: {}.", name, set, known));
}

std::vector<int> predictions_of(const models::Tensor& logits) {
  const std::int64_t classes = logits.shape.back();
  std::vector<int> predictions;
  for (auto row = logits.data.begin(); row != logits.data.end(); row += classes) {
    predictions.push_back(static_cast<int>(std::max_element(row, row + classes) - row));
  }
  return predictions;
}

}  // namespace tellegen::sim
