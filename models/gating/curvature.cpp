#include "tellegen/models/gating/curvature.h"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace tellegen::models::gating {

namespace {

using Kind = ActivationKind;

constexpr int kReach = 8;           // derivatives of every activation have died away, or are constant, beyond
constexpr int kStepsPerUnit = 128;  // a power of two, so that 0 is one of the points

Derivatives product(const Derivatives& u, const Derivatives& v) {
  return {u.f * v.f, u.first * v.f + u.f * v.first, u.second * v.f + 2 * u.first * v.first + u.f * v.second,
          u.third * v.f + 3 * u.second * v.first + 3 * u.first * v.second + u.f * v.third};
}

/// outer(inner(x)), `outer` taken at inner.f (Faa di Bruno).
Derivatives composed(const Derivatives& outer, const Derivatives& inner) {
  const double slope = inner.first;
  return {outer.f, outer.first * slope, outer.second * slope * slope + outer.first * inner.second,
          outer.third * slope * slope * slope + 3 * outer.second * slope * inner.second + outer.first * inner.third};
}

Derivatives line(double slope, double constant, double x) { return {slope * x + constant, slope, 0, 0}; }

Derivatives sigmoid_derivatives(double x) {
  const double s = sigmoid(x), p = s * sigmoid(-x);  // p = s'
  return {s, p, -p * std::tanh(x / 2), p * (1 - 6 * p)};
}
Derivatives softplus_derivatives(double x) {
  const Derivatives s = sigmoid_derivatives(x);
  return {softplus(x), s.f, s.first, s.second};
}
Derivatives tanh_derivatives(double x) {
  const double t = std::tanh(x), q = 1 / (std::cosh(x) * std::cosh(x));
  return {t, q, -2 * t * q, q * (6 * t * t - 2)};
}
Derivatives sech_derivatives(double x) {
  const double t = std::tanh(x), s = 1 / std::cosh(x);
  return {s, -s * t, s * (2 * t * t - 1), s * t * (5 - 6 * t * t)};
}
Derivatives normal_derivatives(double x) {
  const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return {normal_cdf(x), density, -x * density, (x * x - 1) * density};
}
Derivatives gelu_tanh_derivatives(double x) {
  constexpr double cubic = 0.044715;
  const double scale = 2 * std::sqrt(2 * std::numbers::inv_pi);
  const Derivatives u{scale * (x + cubic * x * x * x), scale * (1 + 3 * cubic * x * x), scale * 6 * cubic * x,
                      scale * 6 * cubic};
  return product(line(1, 0, x), composed(sigmoid_derivatives(u.f), u));
}
Derivatives elu_derivatives(double a, double x) {
  if (x > 0) return line(1, 0, x);
  const double e = a * std::exp(x);
  return {a * std::expm1(x), e, e, e};
}
Derivatives hard_swish_derivatives(double x) {
  if (x >= 3) return line(1, 0, x);
  if (x <= -3) return line(0, 0, x);
  return {x * (x + 3) / 6, (2 * x + 3) / 6, 1.0 / 3, 0};
}

}  // namespace

Derivatives derivatives(const Activation& activation, double x) {
  const auto [kind, a, b] = activation;
  const Derivatives itself = line(1, 0, x);
  switch (kind) {
    case Kind::identity:
      return itself;
    case Kind::relu:
    case Kind::leaky_relu:
    case Kind::hard_sigmoid:
    case Kind::hard_tanh:
      return {value(activation, x), derivative(activation, x), 0, 0};
    case Kind::elu:
      return elu_derivatives(a, x);
    case Kind::sigmoid:
      return sigmoid_derivatives(x);
    case Kind::tanh:
      return tanh_derivatives(x);
    case Kind::swish:
      return product(itself, composed(sigmoid_derivatives(a * x), line(a, 0, x)));
    case Kind::gelu_erf:
      return product(itself, normal_derivatives(x));
    case Kind::gelu_tanh:
      return gelu_tanh_derivatives(x);
    case Kind::hard_swish:
      return hard_swish_derivatives(x);
    case Kind::softplus:
      return softplus_derivatives(x);
    case Kind::mish: {
      const Derivatives s = softplus_derivatives(x);
      return product(itself, composed(tanh_derivatives(s.f), s));
    }
    case Kind::tanh_sech:
      return product(tanh_derivatives(x), sech_derivatives(x));
    case Kind::sech:
      return sech_derivatives(x);
    case Kind::x_sech:
      return product(itself, sech_derivatives(x));
  }
  return {};
}

Asymptotes asymptotes(const Activation& activation) {
  const auto [kind, a, b] = activation;
  const Line flat{0, 0}, itself{1, 0};
  switch (kind) {
    case Kind::identity:
      return {itself, itself};
    case Kind::leaky_relu:
      return {{a, 0}, itself};
    case Kind::elu:
      return {{0, -a}, itself};
    case Kind::sigmoid:
    case Kind::hard_sigmoid:
      return {flat, {0, 1}};
    case Kind::tanh:
      return {{0, -1}, {0, 1}};
    case Kind::hard_tanh:
      return {{0, a}, {0, b}};
    case Kind::swish:
      if (a == 0) return {{0.5, 0}, {0.5, 0}};
      return a > 0 ? Asymptotes{flat, itself} : Asymptotes{itself, flat};
    case Kind::relu:
    case Kind::gelu_erf:
    case Kind::gelu_tanh:
    case Kind::hard_swish:
    case Kind::softplus:
    case Kind::mish:
      return {flat, itself};
    case Kind::tanh_sech:
    case Kind::sech:
    case Kind::x_sech:
      return {flat, flat};
  }
  return {};
}

int minimal_branches(const Activation& activation) {
  const Asymptotes tails = asymptotes(activation);
  if (!(tails.left == tails.right)) return 2;
  const double x = 1;  // no curve of ours meets its tail here
  return value(activation, x) == tails.left.slope * x + tails.left.constant ? 1 : 3;
}

std::vector<Inflection> inflections(const Activation& activation) {
  const auto second = [&](double x) { return derivatives(activation, x).second; };
  std::vector<Inflection> found;
  const auto add = [&](double theta) {
    const Derivatives d = derivatives(activation, theta);
    if (d.third != 0) found.push_back({theta, d.f, d.first, std::abs(d.third)});
  };
  for (int i = -kReach * kStepsPerUnit; i < kReach * kStepsPerUnit; ++i) {
    const double low = static_cast<double>(i) / kStepsPerUnit, high = static_cast<double>(i + 1) / kStepsPerUnit;
    const double at_low = second(low), at_high = second(high);
    if (at_low == 0) {
      add(low);
    } else if (at_high != 0 && (at_low < 0) != (at_high < 0)) {
      std::uintmax_t iterations = 100;
      const auto root = boost::math::tools::toms748_solve(
          second, low, high, at_low, at_high,
          boost::math::tools::eps_tolerance<double>(std::numeric_limits<double>::digits), iterations);
      add((root.first + root.second) / 2);
    }
  }
  return found;
}

LargestThird largest_third_derivative(const Activation& activation) {
  const auto size = [&](double x) { return std::abs(derivatives(activation, x).third); };
  LargestThird largest;
  for (int i = -kReach * kStepsPerUnit; i <= kReach * kStepsPerUnit; ++i) {
    const double x = static_cast<double>(i) / kStepsPerUnit;
    if (size(x) >= largest.value) largest = {size(x), x};
  }
  const double step = 1.0 / kStepsPerUnit;
  const auto [at, negative] =
      boost::math::tools::brent_find_minima([&](double x) { return -size(x); }, largest.at - step, largest.at + step,
                                            std::numeric_limits<double>::digits / 2);
  if (-negative > largest.value) largest = {-negative, at};
  return largest;
}

}  // namespace tellegen::models::gating
