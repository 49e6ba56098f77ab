#include "tellegen/circuits/converter/adc_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

constexpr std::size_t kMostSamples = std::size_t{1} << 14;
/// Coarse search: full scales from the largest sample down to a 256th of it, in ratios of 2^(1/4).
constexpr int kCoarseSteps = 32;
constexpr double kRatio = 1.189207115002721;
constexpr double kPrecision = 1e-3;

double mean_squared_error(const AdcConfig& config, bool bipolar, double full_scale,
                          const std::vector<double>& samples) {
  std::vector<double> converted = samples;
  AdcConfig noiseless = config;
  noiseless.enob.reset();
  quantise<double>(make_adc(noiseless, full_scale, bipolar).quantiser, converted);
  double sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) sum += (converted[i] - samples[i]) * (converted[i] - samples[i]);
  return sum / static_cast<double>(samples.size());
}

/// Golden section on the logarithm of the full scale.
template <class Error>
double refine(double low, double high, const Error& error) {
  constexpr double golden = 1 / std::numbers::phi;
  double a = std::log(low), b = std::log(high);
  double c = b - golden * (b - a), d = a + golden * (b - a);
  double at_c = error(std::exp(c)), at_d = error(std::exp(d));
  while (b - a > kPrecision) {
    if (at_c < at_d) {
      b = d;
      d = c;
      at_d = at_c;
      c = b - golden * (b - a);
      at_c = error(std::exp(c));
    } else {
      a = c;
      c = d;
      at_c = at_d;
      d = a + golden * (b - a);
      at_d = error(std::exp(d));
    }
  }
  return std::exp((a + b) / 2);
}

}  // namespace

template <class T>
double magnitude_percentile(std::span<T> magnitudes, double percent) {
  if (magnitudes.empty()) return 0;
  const double size = static_cast<double>(magnitudes.size());
  const double rank = std::ceil(percent / 100 * size);
  const auto at = magnitudes.begin() + static_cast<std::ptrdiff_t>(std::clamp(rank - 1, 0.0, size - 1));
  std::nth_element(magnitudes.begin(), at, magnitudes.end());
  return static_cast<double>(*at);
}

template <class T>
double mse_full_scale(const AdcConfig& config, bool bipolar, std::span<const T> magnitudes) {
  TELLEGEN_ASSERT(!config.bits.ideal());
  std::vector<double> samples;
  double largest = 0;
  const std::size_t count = std::min(magnitudes.size(), kMostSamples);
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back(static_cast<double>(magnitudes[i * magnitudes.size() / count]));
    largest = std::max(largest, samples.back());
  }
  for (const T magnitude : magnitudes) {
    if (!std::isfinite(magnitude)) return std::numeric_limits<double>::infinity();
  }
  if (largest <= 0) return 0;
  const auto error = [&](double full_scale) { return mean_squared_error(config, bipolar, full_scale, samples); };
  double best = largest, least = error(largest);
  for (int k = 1; k <= kCoarseSteps; ++k) {
    const double full_scale = largest * std::pow(kRatio, -k);
    if (const double here = error(full_scale); here < least) {
      least = here;
      best = full_scale;
    }
  }
  const double refined = refine(best / kRatio, std::min(best * kRatio, largest), error);
  return error(refined) < least ? refined : best;
}

template <class T>
double full_scale_of(const AdcConfig& config, bool bipolar, std::span<T> magnitudes) {
  TELLEGEN_ASSERT(config.range.method != RangeMethod::analytic);
  if (config.range.method == RangeMethod::mse) return mse_full_scale<T>(config, bipolar, magnitudes);
  return magnitude_percentile(magnitudes, config.range.method == RangeMethod::max ? 100.0 : config.range.percentile);
}

template double magnitude_percentile(std::span<float>, double);
template double magnitude_percentile(std::span<double>, double);
template double mse_full_scale(const AdcConfig&, bool, std::span<const float>);
template double mse_full_scale(const AdcConfig&, bool, std::span<const double>);
template double full_scale_of(const AdcConfig&, bool, std::span<float>);
template double full_scale_of(const AdcConfig&, bool, std::span<double>);

}  // namespace tellegen::circuits
