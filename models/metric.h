#pragma once
// Metrics with their intervals, and the parts that they are made of.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tellegen::models {

/// A metric and the interval that holds its true value with 95 % probability, over other samples of the same kind.
struct Figure {
  std::string name;  ///< "top1", "top5", "nll", "perplexity", "character_error_rate", "exact", "auc"
  double value = 0, low = 0, high = 0;
};

/// Share of hits, with Wilson's interval.
Figure share(const std::string& name, double hits, double count);
/// sum(numerators) / sum(denominators) with the interval of a ratio of means over independent samples.
Figure ratio(const std::string& name, std::span<const double> numerators, std::span<const double> denominators);
/// Probability that a sample of label 1 scores higher than one of label 0 (ties count half), with DeLong's interval. 0.5
/// where a label is missing.
Figure area_under_curve(std::span<const double> scores, std::span<const double> labels);

/// -log softmax(logits)[label] [nats].
double negative_log_likelihood(std::span<const float> logits, std::size_t label);
/// How many logits are greater than that of the label, or equal and before it. What is not a number hits nothing: it counts
/// as greater than all.
std::size_t rank_of(std::span<const float> logits, std::size_t label);
/// Least number of inserted, deleted and replaced code points between two texts in UTF-8.
std::int64_t character_errors(std::string_view read, std::string_view truth);
std::int64_t character_count(std::string_view text);

}  // namespace tellegen::models
