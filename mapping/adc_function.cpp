#include "tellegen/mapping/adc_function.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/models/operators/pointwise.h"

namespace tellegen::mapping {
namespace {

using circuits::ActivationFunction;
using circuits::ScalarFunction;
using models::Pointwise;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double mish(double x) { return x * std::tanh(softplus(x)); }
double gelu_tanh(double x) {
  const double c = std::numbers::inv_sqrtpi * std::numbers::sqrt2;  // sqrt(2 / pi)
  return 0.5 * x * (1 + std::tanh(c * (x + 0.044715 * x * x * x)));
}

/// Where a function has its only least value, between `low` and `high`.
double lowest_point(double (*function)(double), double low, double high) {
  const double golden = 1 / std::numbers::phi;
  while (high - low > 1e-9) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    (function(left) < function(right) ? high : low) = function(left) < function(right) ? right : left;
  }
  return (low + high) / 2;
}

/// A function that falls below 0 and rises above turns at 0.
std::vector<double> turn_at_zero(bool falls_below) {
  return falls_below ? std::vector<double>{0} : std::vector<double>{};
}

ScalarFunction swish(double a) {
  if (a == 0) return ScalarFunction([](double x) { return x / 2; });
  const double turn = circuits::turning_points(ActivationFunction::silu).front() / a;
  return ScalarFunction([a](double x) { return evaluate(ActivationFunction::silu, a * x) / a; }, {turn});
}

}  // namespace

std::optional<ScalarFunction> adc_function_of(const models::Operation& activation) {
  using Kind = Pointwise::Kind;
  const auto* pointwise = dynamic_cast<const Pointwise*>(&activation);
  if (pointwise == nullptr) return std::nullopt;
  const double a = static_cast<double>(pointwise->a()), b = static_cast<double>(pointwise->b());
  switch (pointwise->kind()) {
    case Kind::relu:
      return ScalarFunction([](double x) { return std::max(x, 0.0); });
    case Kind::leaky_relu:
      return ScalarFunction([a](double x) { return x < 0 ? a * x : x; }, turn_at_zero(a < 0));
    case Kind::clip:
      return ScalarFunction([a, b](double x) { return std::min(std::max(x, a), b); });
    case Kind::elu:
      return ScalarFunction([a](double x) { return x < 0 ? a * std::expm1(x) : x; }, turn_at_zero(a < 0));
    case Kind::sigmoid:
      return ScalarFunction(ActivationFunction::sigmoid);
    case Kind::hard_sigmoid:
      return ScalarFunction([a, b](double x) { return std::clamp(a * x + b, 0.0, 1.0); });
    case Kind::tanh:
      return ScalarFunction(ActivationFunction::tanh);
    case Kind::silu:
      return ScalarFunction(ActivationFunction::silu);
    case Kind::swish:
      return swish(a);
    case Kind::hard_swish:
      return ScalarFunction([](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); }, {-1.5});
    case Kind::gelu_erf:
      return ScalarFunction(ActivationFunction::gelu);
    case Kind::gelu_tanh:
      return ScalarFunction(gelu_tanh, {lowest_point(gelu_tanh, -1.5, -0.3)});
    case Kind::softplus:
      return ScalarFunction(softplus);
    case Kind::mish:
      return ScalarFunction(mish, {lowest_point(mish, -2, -0.5)});
    case Kind::tanh_sech:
      return ScalarFunction([a](double x) { return a * evaluate(ActivationFunction::tanh_sech, x); },
                            circuits::turning_points(ActivationFunction::tanh_sech));
  }
  return std::nullopt;
}

}  // namespace tellegen::mapping
