#include "tellegen/models/gating/fit_error.h"

#include <fmt/format.h>

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

namespace {

std::vector<double> evenly_spaced(double low, double high, std::size_t count) {
  TELLEGEN_ASSERT(count >= 2 && low < high);
  std::vector<double> x(count);
  const double step = (high - low) / static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) x[i] = low + step * static_cast<double>(i);
  return x;
}

std::vector<double> equal_weights(std::size_t count) {
  return std::vector<double>(count, 1 / static_cast<double>(count));
}

}  // namespace

Samples uniform_samples(double low, double high, std::size_t count) {
  return {evenly_spaced(low, high, count), equal_weights(count)};
}

Samples normal_samples(double standard_deviation, std::size_t count, double span) {
  Samples samples{evenly_spaced(-span * standard_deviation, span * standard_deviation, count), {}};
  double sum = 0;
  for (const double x : samples.x) {
    const double z = x / standard_deviation;
    samples.weight.push_back(std::exp(-z * z / 2));
    sum += samples.weight.back();
  }
  for (double& weight : samples.weight) weight /= sum;
  return samples;
}

Samples measured_samples(std::vector<double> x) {
  if (x.empty()) throw InputError("There are '0' samples to calibrate with; give at least one.");
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]))
      throw InputError(fmt::format("Sample {} to calibrate with is '{}'; samples must be finite numbers.", i, x[i]));
  Samples samples{std::move(x), {}};
  samples.weight = equal_weights(samples.x.size());
  return samples;
}

FitError fit_error(const Samples& samples, const RealFunction& target, const RealFunction& fit) {
  FitError error;
  double square = 0, target_square = 0;
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    const double x = samples.x[i], wanted = target(x), difference = std::abs(fit(x) - wanted);
    if (difference > error.maximum) {
      error.maximum = difference;
      error.at = x;
    }
    square += samples.weight[i] * difference * difference;
    target_square += samples.weight[i] * wanted * wanted;
  }
  error.rms = std::sqrt(square);
  error.relative = target_square > 0 ? std::sqrt(square / target_square) : 0;
  return error;
}

}  // namespace tellegen::models::gating
