#include "tellegen/circuits/front_end/gate_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

double kernel_of(GateKernel kernel, double u) {
  switch (kernel) {
    case GateKernel::logistic:
      return 1 / (1 + std::exp(-u));
    case GateKernel::hard:
      return u > 0 ? 1 : u < 0 ? 0 : 0.5;
    case GateKernel::ramp:
      return std::clamp(u + 0.5, 0.0, 1.0);
    case GateKernel::erf:
      break;
  }
  return std::erfc(-u / std::numbers::sqrt2) / 2;
}

double normalised(const GateFunction& gate, double x) {
  std::vector<double> exponent(gate.branches());
  for (std::size_t m = 0; m < gate.thresholds.size(); ++m) {
    exponent[m + 1] = exponent[m] + gate.sharpness[m] * (x - gate.thresholds[m]);
  }
  const double largest = *std::ranges::max_element(exponent);
  double sum = 0, y = 0;
  for (std::size_t k = 0; k < gate.branches(); ++k) {
    const double weight = std::exp(exponent[k] - largest);
    sum += weight;
    y += weight * (gate.slopes[k] * x + gate.constants[k]);
  }
  return y / sum;
}

bool all_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

}  // namespace

std::span<const std::pair<GateKernel, const char*>> enum_names(GateKernel) {
  static constexpr std::array names{std::pair{GateKernel::logistic, "logistic"}, std::pair{GateKernel::hard, "hard"},
                                    std::pair{GateKernel::ramp, "ramp"}, std::pair{GateKernel::erf, "erf"}};
  return names;
}

std::span<const std::pair<GateForm, const char*>> enum_names(GateForm) {
  static constexpr std::array names{std::pair{GateForm::difference, "difference"},
                                    std::pair{GateForm::nested, "nested"},
                                    std::pair{GateForm::normalised, "normalised"}};
  return names;
}

bool GateFunction::is_constant_family() const {
  return shape == Shape::threshold_gate && std::ranges::all_of(slopes, [](double slope) { return slope == 0; });
}

double GateFunction::operator()(double x) const {
  if (shape == Shape::tanh_sech) return amplitude * std::tanh(x) / std::cosh(x);
  if (form == GateForm::normalised) return normalised(*this, x);
  double y = slopes[0] * x + constants[0];
  double product = 1;
  for (std::size_t m = 0; m < thresholds.size(); ++m) {
    const double sigma = kernel_of(kernel, sharpness[m] * (x - thresholds[m]));
    product = form == GateForm::nested ? product * sigma : sigma;
    y += product * ((slopes[m + 1] - slopes[m]) * x + constants[m + 1] - constants[m]);
  }
  return y;
}

void check(const GateFunction& gate) {
  if (gate.shape == GateFunction::Shape::tanh_sech) {
    if (!std::isfinite(gate.amplitude)) throw InputError("The amplitude of a tanh-sech gate must be finite.");
    return;
  }
  const std::size_t branches = gate.slopes.size();
  if (branches < 1 || gate.constants.size() != branches || gate.thresholds.size() + 1 != branches ||
      gate.sharpness.size() != gate.thresholds.size()) {
    throw InputError(
        fmt::format("A gate of '{}' slopes needs as many constants and one threshold and one sharpness "
                    "less; it has {}, {} and {}.",
                    branches, gate.constants.size(), gate.thresholds.size(), gate.sharpness.size()));
  }
  if (!all_finite(gate.slopes) || !all_finite(gate.constants) || !all_finite(gate.thresholds)) {
    throw InputError("Slopes, constants and thresholds of a gate must be finite.");
  }
  if (!std::ranges::is_sorted(gate.thresholds)) throw InputError("Thresholds of a gate must ascend.");
  for (const double tau : gate.sharpness) {
    if (!(tau > 0) || std::isinf(tau)) {
      throw InputError(fmt::format("The sharpness of a gate is '{}'; it must be finite and above 0.", tau));
    }
  }
}

GateFunction sigmoid_gate() { return {}; }

GateFunction tanh_gate() {
  GateFunction gate;
  gate.constants = {-1, 1};
  gate.sharpness = {2};
  return gate;
}

GateFunction swish_gate(double tau) {
  GateFunction gate;
  gate.slopes = {0, 1};
  gate.constants = {0, 0};
  gate.sharpness = {tau};
  return gate;
}

GateFunction relu_gate() {
  GateFunction gate = swish_gate(1);
  gate.kernel = GateKernel::hard;
  return gate;
}

GateFunction tanh_sech_gate(double amplitude) {
  GateFunction gate;
  gate.shape = GateFunction::Shape::tanh_sech;
  gate.amplitude = amplitude;
  return gate;
}

}  // namespace tellegen::circuits
