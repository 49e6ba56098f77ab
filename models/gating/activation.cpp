#include "tellegen/models/gating/activation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

namespace {

using Kind = ActivationKind;

constexpr double kCubic = 0.044715;
const double kTwiceRootTwoOverPi = 2 * std::sqrt(2 * std::numbers::inv_pi);

double sech(double x) { return 1 / std::cosh(x); }
double normal_density(double x) { return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2; }
double sigmoid_slope(double x) { return sigmoid(x) * sigmoid(-x); }
double hard_sigmoid_value(double x) { return std::clamp((x + 3) / 6, 0.0, 1.0); }
bool between(double x, double low, double high) { return x > low && x < high; }

/// The argument u of gelu_tanh = x sigmoid(u), and its slope.
double gelu_argument(double x) { return kTwiceRootTwoOverPi * (x + kCubic * x * x * x); }
double gelu_argument_slope(double x) { return kTwiceRootTwoOverPi * (1 + 3 * kCubic * x * x); }

double gelu_tanh_slope(double x) {
  const double u = gelu_argument(x);
  return sigmoid(u) + x * sigmoid_slope(u) * gelu_argument_slope(x);
}
double hard_swish_slope(double x) {
  if (x >= 3) return 1;
  return x > -3 ? (2 * x + 3) / 6 : 0;
}
double mish_slope(double x) {
  const double s = softplus(x);
  return std::tanh(s) + x * sech(s) * sech(s) * sigmoid(x);
}

}  // namespace

double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return (x >= 0 ? 1 : e) / (1 + e);
}
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

double value(const Activation& activation, double x) {
  const auto [kind, a, b] = activation;
  switch (kind) {
    case Kind::identity:
      return x;
    case Kind::relu:
      return std::max(x, 0.0);
    case Kind::leaky_relu:
      return x > 0 ? x : a * x;
    case Kind::elu:
      return x > 0 ? x : a * std::expm1(x);
    case Kind::sigmoid:
      return sigmoid(x);
    case Kind::tanh:
      return std::tanh(x);
    case Kind::swish:
      return x * sigmoid(a * x);
    case Kind::gelu_erf:
      return x * normal_cdf(x);
    case Kind::gelu_tanh:
      return x * sigmoid(gelu_argument(x));
    case Kind::hard_sigmoid:
      return hard_sigmoid_value(x);
    case Kind::hard_swish:
      return x * hard_sigmoid_value(x);
    case Kind::hard_tanh:
      return std::clamp(x, a, b);
    case Kind::softplus:
      return softplus(x);
    case Kind::mish:
      return x * std::tanh(softplus(x));
    case Kind::tanh_sech:
      return std::tanh(x) * sech(x);
    case Kind::sech:
      return sech(x);
    case Kind::x_sech:
      return x * sech(x);
  }
  return 0;
}

double derivative(const Activation& activation, double x) {
  const auto [kind, a, b] = activation;
  switch (kind) {
    case Kind::identity:
      return 1;
    case Kind::relu:
      return x > 0 ? 1 : 0;
    case Kind::leaky_relu:
      return x > 0 ? 1 : a;
    case Kind::elu:
      return x > 0 ? 1 : a * std::exp(x);
    case Kind::sigmoid:
      return sigmoid_slope(x);
    case Kind::tanh:
      return sech(x) * sech(x);
    case Kind::swish:
      return sigmoid(a * x) + a * x * sigmoid_slope(a * x);
    case Kind::gelu_erf:
      return normal_cdf(x) + x * normal_density(x);
    case Kind::gelu_tanh:
      return gelu_tanh_slope(x);
    case Kind::hard_sigmoid:
      return between(x, -3, 3) ? 1.0 / 6 : 0;
    case Kind::hard_swish:
      return hard_swish_slope(x);
    case Kind::hard_tanh:
      return between(x, a, b) ? 1 : 0;
    case Kind::softplus:
      return sigmoid(x);
    case Kind::mish:
      return mish_slope(x);
    case Kind::tanh_sech:
      return sech(x) * (2 * sech(x) * sech(x) - 1);
    case Kind::sech:
      return -sech(x) * std::tanh(x);
    case Kind::x_sech:
      return sech(x) * (1 - x * std::tanh(x));
  }
  return 0;
}

std::span<const ActivationEntry> activation_catalog() {
  static constexpr std::array entries{
      ActivationEntry{"identity", {Kind::identity}, "x."},
      ActivationEntry{"relu", {Kind::relu}, "max(0, x)."},
      ActivationEntry{
          "leaky_relu", {Kind::leaky_relu, 0.01}, "x above 0, 0.01 x below; PReLU has a learned slope there."},
      ActivationEntry{"elu", {Kind::elu, 1}, "x above 0, exp(x) - 1 below."},
      ActivationEntry{"sigmoid", {Kind::sigmoid}, "1 / (1 + exp(-x))."},
      ActivationEntry{"tanh", {Kind::tanh}, "Hyperbolic tangent."},
      ActivationEntry{"silu", {Kind::swish, 1}, "x sigmoid(x)."},
      ActivationEntry{"swish_2", {Kind::swish, 2}, "x sigmoid(2 x)."},
      ActivationEntry{"swish_0.5", {Kind::swish, 0.5}, "x sigmoid(x / 2)."},
      ActivationEntry{"gelu_erf", {Kind::gelu_erf}, "x times the normal distribution function."},
      ActivationEntry{"gelu_tanh", {Kind::gelu_tanh}, "GELU as GPT-2 computes it, up to 4.7e-4 from gelu_erf."},
      ActivationEntry{"quick_gelu", {Kind::swish, 1.702}, "x sigmoid(1.702 x)."},
      ActivationEntry{"hard_sigmoid", {Kind::hard_sigmoid}, "(x + 3) / 6 between 0 and 1."},
      ActivationEntry{"hard_swish", {Kind::hard_swish}, "x hard_sigmoid(x)."},
      ActivationEntry{"hard_tanh", {Kind::hard_tanh, -1, 1}, "x between -1 and 1."},
      ActivationEntry{
          "hard_tanh_0_20", {Kind::hard_tanh, 0, 20}, "x between 0 and 20, the clipped ReLU of DeepSpeech2."},
      ActivationEntry{"relu6", {Kind::hard_tanh, 0, 6}, "x between 0 and 6."},
      ActivationEntry{"softplus", {Kind::softplus}, "log(1 + exp(x))."},
      ActivationEntry{"mish", {Kind::mish}, "x tanh(softplus(x))."},
      ActivationEntry{"tanh_sech", {Kind::tanh_sech}, "tanh(x) sech(x), the closed-tail gate of MemGLU."},
      ActivationEntry{"sech", {Kind::sech}, "1 / cosh(x)."},
      ActivationEntry{"x_sech", {Kind::x_sech}, "x sech(x)."},
  };
  return entries;
}

const Activation& activation_named(std::string_view name) {
  std::vector<std::string> known;
  for (const ActivationEntry& entry : activation_catalog()) {
    if (entry.name == name) return entry.activation;
    known.emplace_back(entry.name);
  }
  const std::string proposal = nearest(std::string(name), known);
  throw InputError("'" + std::string(name) + "' is not a known activation; " +
                   (proposal.empty() ? "the catalogue lists them." : "did you mean '" + proposal + "'?"));
}

}  // namespace tellegen::models::gating
