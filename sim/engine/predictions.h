#pragma once
// Outputs to numbers that judge them: classes, and the metrics of the test set.

#include <span>
#include <string>
#include <vector>

#include "tellegen/models/metric.h"
#include "tellegen/models/tensor.h"

namespace tellegen::sim {

/// A metric that can be asked for as network.metric.
struct MetricKind {
  const char* name;   ///< of the figure, "top1"
  const char* title;  ///< for people, "accuracy"
  const char* unit;   ///< "fraction", "nat", "1"
  double low, high;   ///< values that it can take
  bool more_is_better;
};
std::span<const MetricKind> metric_kinds();
/// The kind of that name, which must be one of them.
const MetricKind& metric_kind(const std::string& name);

/// The figure of that name. Throws InputError where there is none, naming `set` and what it has.
const models::Figure& figure_named(std::span<const models::Figure> figures, const std::string& name,
                                   const std::string& set);

/// The class with the largest logit of each row, [rows]; the first of equals. logits [rows, classes].
std::vector<int> predictions_of(const models::Tensor& logits);

}  // namespace tellegen::sim
