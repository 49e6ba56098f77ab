#include "double_functions.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "tellegen/base/error.h"
#include "tellegen/models/gating/forms.h"
#include "tellegen/models/gating/memglu.h"
#include "tellegen/models/gating/tg_softmax.h"

namespace tellegen::models::reference {

namespace {

using Kind = Pointwise::Kind;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

Curve defined(const Pointwise& activation) {
  const double a = static_cast<double>(activation.a());
  switch (activation.kind()) {
    case Kind::relu:
      return [](double x) { return x > 0 ? x : 0; };
    case Kind::sigmoid:
      return logistic;
    case Kind::tanh:
      return [](double x) { return std::tanh(x); };
    case Kind::silu:
      return [](double x) { return x * logistic(x); };
    case Kind::gelu_erf:
      return [](double x) { return x / 2 * std::erfc(-x / std::numbers::sqrt2); };
    case Kind::tanh_sech:
      return [a](double x) { return a * std::tanh(x) / std::cosh(x); };
    default:
      throw std::logic_error("no definition of " + activation.label());
  }
}

Curve by_gate(const Pointwise& activation) {
  using Of = gating::ActivationKind;
  const double a = static_cast<double>(activation.a());
  const auto gate = [](const gating::Activation& function) -> Curve {
    const std::optional<gating::ThresholdGate> exact = gating::exact_gate(function);
    TELLEGEN_ASSERT(exact.has_value());
    return [g = *exact](double x) { return gating::value(g, x); };
  };
  switch (activation.kind()) {
    case Kind::relu:
      return gate({Of::relu});
    case Kind::sigmoid:
      return gate({Of::sigmoid});
    case Kind::tanh:
      return gate({Of::tanh});
    case Kind::silu:
      return gate({Of::swish, 1});
    case Kind::gelu_erf:
      return gate({Of::gelu_erf});
    case Kind::tanh_sech:
      return [a](double x) { return a * gating::translinear_gate(x); };
    default:
      throw std::logic_error("no exact gate for " + activation.label());
  }
}

void defined_softmax(std::span<double> row) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (double& x : row) {
    x = std::exp(x - largest);
    sum += x;
  }
  for (double& x : row) x /= sum;
}

}  // namespace

Functions defined_functions() { return {defined, defined_softmax}; }

Functions gate_functions() {
  const auto cells = std::make_shared<gating::TgSoftmax<double>>();
  return {by_gate, [cells](std::span<double> row) { (*cells)(row, row); }};
}

}  // namespace tellegen::models::reference
