#include "tellegen/models/metric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tellegen/base/error.h"

namespace tellegen::models {

namespace {

constexpr double kZ = 1.959963984540054;  // two sides of 2.5 %

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

/// Code points of well-formed UTF-8; a byte that is none counts as one.
std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if ((byte & 0xC0U) == 0x80U && !points.empty())
      points.back() = points.back() << 6 | (byte & 0x3FU);
    else
      points.push_back(byte);
  }
  return points;
}

/// Ranks from 1 on among `values`; equal ones share the mean of theirs.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (std::size_t i = first; i <= last; ++i) result[order[i]] = static_cast<double>(first + last) / 2 + 1;
    first = last + 1;
  }
  return result;
}

}  // namespace

Figure share(const std::string& name, double hits, double count) {
  TELLEGEN_ASSERT(count > 0);
  const double p = hits / count, z2 = kZ * kZ;
  const double centre = (p + z2 / (2 * count)) / (1 + z2 / count);
  const double half = kZ / (1 + z2 / count) * std::sqrt(p * (1 - p) / count + z2 / (4 * count * count));
  // Rounding must not put the share itself outside, where all or none hit.
  return {name, p, std::clamp(centre - half, 0.0, p), std::clamp(centre + half, p, 1.0)};
}

Figure ratio(const std::string& name, std::span<const double> numerators, std::span<const double> denominators) {
  TELLEGEN_ASSERT(!numerators.empty() && numerators.size() == denominators.size());
  const double denominator = mean_of(denominators), value = mean_of(numerators) / denominator;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < numerators.size(); ++i) residuals.push_back(numerators[i] - value * denominators[i]);
  const double error = std::sqrt(variance_of(residuals) / static_cast<double>(residuals.size())) / denominator;
  return {name, value, value - kZ * error, value + kZ * error};
}

Figure area_under_curve(std::span<const double> scores, std::span<const double> labels) {
  std::vector<double> positive, negative;
  for (std::size_t i = 0; i < scores.size(); ++i) (labels[i] != 0 ? positive : negative).push_back(scores[i]);
  if (positive.empty() || negative.empty()) return {"auc", 0.5, 0, 1};
  std::vector<double> all = positive;
  all.insert(all.end(), negative.begin(), negative.end());
  const std::vector<double> among_all = ranks(all), among_positive = ranks(positive), among_negative = ranks(negative);
  const auto m = static_cast<double>(positive.size()), n = static_cast<double>(negative.size());
  // For each sample the share of the other kind that it is ordered right with.
  std::vector<double> above, below;
  for (std::size_t i = 0; i < positive.size(); ++i) above.push_back((among_all[i] - among_positive[i]) / n);
  for (std::size_t i = 0; i < negative.size(); ++i)
    below.push_back(1 - (among_all[positive.size() + i] - among_negative[i]) / m);
  const double value = mean_of(above), error = std::sqrt(variance_of(above) / m + variance_of(below) / n);
  return {"auc", value, std::max(0.0, value - kZ * error), std::min(1.0, value + kZ * error)};
}

double negative_log_likelihood(std::span<const float> logits, std::size_t label) {
  const auto largest = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  return std::log(sum) + largest - static_cast<double>(logits[label]);
}

std::size_t rank_of(std::span<const float> logits, std::size_t label) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    rank += !(logits[i] <= logits[label]) || (i < label && logits[i] == logits[label]) ? 1 : 0;
  return rank;
}

std::int64_t character_errors(std::string_view read, std::string_view truth) {
  const std::u32string a = code_points(read), b = code_points(truth);
  std::vector<std::int64_t> before(b.size() + 1), now(b.size() + 1);
  std::iota(before.begin(), before.end(), std::int64_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    now[0] = static_cast<std::int64_t>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j)
      now[j + 1] = std::min({before[j + 1] + 1, now[j] + 1, before[j] + (a[i] == b[j] ? 0 : 1)});
    std::swap(before, now);
  }
  return before.back();
}

std::int64_t character_count(std::string_view text) { return static_cast<std::int64_t>(code_points(text).size()); }

}  // namespace tellegen::models
