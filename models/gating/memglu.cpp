#include "tellegen/models/gating/memglu.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

namespace {

constexpr Activation kSilu{ActivationKind::swish, 1};
constexpr double kSpan = 14;  // standard deviations, beyond which nothing is left in double

bool in_tail(double g, TailRegion region) {
  return g >= kMemgluPeak || (region == TailRegion::two_sided && -g >= kMemgluPeak);
}

/// The integral of phi(z)^2 with the normal density between `low` and `high`, in pieces: kinks of phi at 0, the peak, and the
/// bulk of the distribution are borders.
double normal_energy(const Activation& phi, double standard_deviation, double low, double high) {
  std::vector<double> borders{low, high};
  for (const double at : {-6.0, -3.0, -1.5, 0.0, 1.5, 3.0, 6.0}) borders.push_back(at * standard_deviation);
  borders.push_back(-kMemgluPeak);
  borders.push_back(kMemgluPeak);
  std::sort(borders.begin(), borders.end());
  const auto density = [&](double z) {
    const double y = value(phi, z), u = z / standard_deviation;
    return y * y * std::exp(-u * u / 2) * std::numbers::inv_sqrtpi / (std::numbers::sqrt2 * standard_deviation);
  };
  double sum = 0;
  for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
    const double from = std::max(borders[i], low), to = std::min(borders[i + 1], high);
    if (from < to) sum += boost::math::quadrature::gauss_kronrod<double, 61>::integrate(density, from, to, 8, 1e-15);
  }
  return sum;
}

void check_deviation(double standard_deviation) {
  if (!(standard_deviation > 0) || !std::isfinite(standard_deviation))
    throw InputError(fmt::format("The standard deviation of gate inputs is '{}'; it must be positive and finite.",
                                 standard_deviation));
}

}  // namespace

double memglu_gate(double g, double c0) { return c0 * value({ActivationKind::tanh_sech}, g); }
double memglu_gate_slope(double g, double c0) { return c0 * derivative({ActivationKind::tanh_sech}, g); }

double translinear_gate(double g) {
  const double i1 = sigmoid(2 * g), i2 = sigmoid(-2 * g);
  return 2 * (i1 - i2) * std::sqrt(i1 * i2);
}

double branch_separation(double xi) { return xi * std::sqrt((1 - xi) * (1 + xi)); }

double normal_rms(const Activation& phi, double standard_deviation) {
  check_deviation(standard_deviation);
  return std::sqrt(normal_energy(phi, standard_deviation, -kSpan * standard_deviation, kSpan * standard_deviation));
}

double matched_c0(double standard_deviation) {
  return normal_rms(kSilu, standard_deviation) / normal_rms({ActivationKind::tanh_sech}, standard_deviation);
}

double silu_with(TailIntervention intervention, double g) {
  if (g < kMemgluPeak) return value(kSilu, g);
  switch (intervention) {
    case TailIntervention::none:
      return value(kSilu, g);
    case TailIntervention::cap:
      return value(kSilu, kMemgluPeak);
    case TailIntervention::decay:
      return value(kSilu, kMemgluPeak) * 2 * memglu_gate(g);
    case TailIntervention::remove:
      return 0;
  }
  return 0;
}

TailShare normal_tail(const Activation& phi, double standard_deviation, TailRegion region) {
  check_deviation(standard_deviation);
  const double span = kSpan * standard_deviation;
  const double above = normal_cdf(-kMemgluPeak / standard_deviation);
  double energy = kMemgluPeak < span ? normal_energy(phi, standard_deviation, kMemgluPeak, span) : 0;
  if (region == TailRegion::two_sided && kMemgluPeak < span)
    energy += normal_energy(phi, standard_deviation, -span, -kMemgluPeak);
  const double whole = normal_energy(phi, standard_deviation, -span, span);
  return {region == TailRegion::positive ? above : 2 * above, whole > 0 ? energy / whole : 0};
}

TailShare recorded_tail(const Activation& phi, std::span<const float> gates, std::span<const float> up,
                        TailRegion region) {
  if (gates.empty()) throw InputError("There are '0' recorded gate inputs; give at least one.");
  if (!up.empty() && up.size() != gates.size())
    throw InputError(
        fmt::format("There are '{}' gate inputs and '{}' values to multiply with; give one per input, or none.",
                    gates.size(), up.size()));
  std::size_t inside = 0;
  double energy = 0, whole = 0;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const double g = static_cast<double>(gates[i]);
    const double y = value(phi, g) * (up.empty() ? 1.0 : static_cast<double>(up[i]));
    whole += y * y;
    if (!in_tail(g, region)) continue;
    ++inside;
    energy += y * y;
  }
  return {static_cast<double>(inside) / static_cast<double>(gates.size()), whole > 0 ? energy / whole : 0};
}

}  // namespace tellegen::models::gating
