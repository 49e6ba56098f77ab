#include "tellegen/circuits/digital/activation_function.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }
double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }
double normal_density(double x) { return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2; }

/// Zero of the derivative between `low` and `high`, where its sign changes.
double turning_point(ActivationFunction function, double low, double high) {
  const bool rises = derivative(function, low) < 0;
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    ((derivative(function, middle) < 0) == rises ? low : high) = middle;
  }
}

}  // namespace

std::span<const std::pair<ActivationFunction, const char*>> enum_names(ActivationFunction) {
  static constexpr std::array<std::pair<ActivationFunction, const char*>, 7> names = {
      {{ActivationFunction::sigmoid, "sigmoid"},
       {ActivationFunction::tanh, "tanh"},
       {ActivationFunction::silu, "silu"},
       {ActivationFunction::gelu, "gelu"},
       {ActivationFunction::tanh_sech, "tanh_sech"},
       {ActivationFunction::exponential, "exponential"},
       {ActivationFunction::power_of_two, "power_of_two"}}};
  return names;
}

std::span<const ActivationFunction> activation_functions() {
  static constexpr std::array all = {ActivationFunction::sigmoid,     ActivationFunction::tanh,
                                     ActivationFunction::silu,        ActivationFunction::gelu,
                                     ActivationFunction::tanh_sech,   ActivationFunction::exponential,
                                     ActivationFunction::power_of_two};
  return all;
}

double evaluate(ActivationFunction function, double x) {
  switch (function) {
    case ActivationFunction::sigmoid:
      return sigmoid(x);
    case ActivationFunction::tanh:
      return std::tanh(x);
    case ActivationFunction::silu:
      return x * sigmoid(x);
    case ActivationFunction::gelu:
      return x * normal_distribution(x);
    case ActivationFunction::tanh_sech:
      return std::tanh(x) / std::cosh(x);
    case ActivationFunction::exponential:
      return std::exp(x);
    case ActivationFunction::power_of_two:
      return std::exp2(x);
  }
  TELLEGEN_ASSERT(false);
  return 0;
}

double derivative(ActivationFunction function, double x) {
  const double s = sigmoid(x), c = 1 / std::cosh(x), t = std::tanh(x);
  switch (function) {
    case ActivationFunction::sigmoid:
      return s * sigmoid(-x);
    case ActivationFunction::tanh:
      return c * c;
    case ActivationFunction::silu:
      return s * (1 + x * sigmoid(-x));
    case ActivationFunction::gelu:
      return normal_distribution(x) + x * normal_density(x);
    case ActivationFunction::tanh_sech:
      return c * (c * c - t * t);
    case ActivationFunction::exponential:
      return std::exp(x);
    case ActivationFunction::power_of_two:
      return std::exp2(x) * std::numbers::ln2;
  }
  TELLEGEN_ASSERT(false);
  return 0;
}

std::vector<double> turning_points(ActivationFunction function) {
  if (function == ActivationFunction::silu) return {turning_point(function, -2, -1)};
  if (function == ActivationFunction::gelu) return {turning_point(function, -1, -0.5)};
  if (function == ActivationFunction::tanh_sech) {
    const double at = std::asinh(1.0);
    return {-at, at};
  }
  return {};
}

std::pair<double, double> value_range(ActivationFunction function, double low, double high) {
  std::pair<double, double> range = std::minmax(evaluate(function, low), evaluate(function, high));
  for (const double at : turning_points(function)) {
    if (at <= low || at >= high) continue;
    range.first = std::min(range.first, evaluate(function, at));
    range.second = std::max(range.second, evaluate(function, at));
  }
  return range;
}

}  // namespace tellegen::circuits
