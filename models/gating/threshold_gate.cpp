#include "tellegen/models/gating/threshold_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/gating/activation.h"

namespace tellegen::models::gating {

namespace {

/// sigma_m(x).
double opened(const ThresholdGate& gate, std::size_t m, double x) {
  const double distance = x - gate.theta[m];
  switch (gate.kernel) {
    case Kernel::logistic:
      return sigmoid(gate.sharpness(m) * distance);
    case Kernel::hard:
      return distance > 0 ? 1 : distance == 0 ? 0.5 : 0;
    case Kernel::ramp:
      return std::clamp(gate.sharpness(m) * distance + 0.5, 0.0, 1.0);
    case Kernel::erf:
      return normal_cdf(gate.sharpness(m) * distance);
  }
  return 0;
}

void telescoping_gates(const ThresholdGate& gate, double x, std::span<double> gates) {
  double before = 1;
  for (std::size_t k = 0; k < gates.size(); ++k) {
    const double after = k + 1 < gates.size() ? opened(gate, k, x) : 0;
    gates[k] = before - after;
    before = after;
  }
}

void cascade_gates(const ThresholdGate& gate, double x, std::span<double> gates) {
  double rest = 1;
  for (std::size_t k = 0; k + 1 < gates.size(); ++k) {
    const double s = opened(gate, k, x);
    gates[k] = rest * (1 - s);
    rest *= s;
  }
  gates.back() = rest;
}

/// Exponents are counted from the leg that carries most, so that the large ones lose no digits to each other.
void normalised_gates(const ThresholdGate& gate, double x, std::span<double> gates) {
  const auto step = [&](std::size_t m) { return gate.sharpness(m) * (x - gate.theta[m]); };
  std::size_t largest = 0;
  for (std::size_t k = 0; k < gates.size(); ++k) {
    double from_largest = 0;
    for (std::size_t m = largest; m < k; ++m) from_largest += step(m);
    if (from_largest > 0) largest = k;
  }
  double exponent = 0, sum = 1;
  gates[largest] = 1;
  for (std::size_t k = largest; k + 1 < gates.size(); ++k) sum += gates[k + 1] = std::exp(exponent += step(k));
  exponent = 0;
  for (std::size_t k = largest; k > 0; --k) sum += gates[k - 1] = std::exp(exponent -= step(k - 1));
  for (double& g : gates) g /= sum;
}

std::string list(std::span<const double> numbers) {
  std::string text;
  for (const double number : numbers) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", number);
  return text;
}

void check_finite(std::span<const double> numbers, const char* what) {
  for (const double number : numbers)
    if (!std::isfinite(number))
      throw InputError(fmt::format("A threshold gate has the {} '{}'; it must be a finite number.", what, number));
}

void check_counts(const ThresholdGate& gate) {
  const std::size_t branches = gate.branches();
  if (branches == 0 || gate.constant.size() != branches)
    throw InputError(
        fmt::format("A threshold gate has '{}' slopes and '{}' constants; each branch needs one of both, and there is "
                    "at least one.",
                    branches, gate.constant.size()));
  if (gate.theta.size() != branches - 1)
    throw InputError(fmt::format(
        "A threshold gate of {} branches has '{}' thresholds; it needs {}, one between neighbouring branches.",
        branches, gate.theta.size(), branches - 1));
}

void check_sharpness(const ThresholdGate& gate) {
  const std::size_t given = gate.tau.size(), thresholds = gate.theta.size();
  if (thresholds == 0 ? given > 0 : given != 1 && given != thresholds)
    throw InputError(
        fmt::format("A threshold gate with {} thresholds has '{}' sharpnesses; give one{}.", thresholds, given,
                    thresholds == 0 ? " to gates with thresholds only" : " for all of them or one for each"));
  if (gate.construction == Construction::telescoping && given > 1)
    throw InputError(
        fmt::format("A telescoping threshold gate has the sharpnesses {}; its gates stay between 0 and 1 only "
                    "with one. Use the construction 'unequal' for several.",
                    list(gate.tau)));
  for (const double tau : gate.tau) {
    if (gate.kernel == Kernel::hard && !(std::isinf(tau) && tau > 0))
      throw InputError(
          fmt::format("A hard threshold gate has the sharpness '{}'; it is infinite by definition. Use the "
                      "kernel 'logistic' or 'ramp' for a finite one.",
                      tau));
    if (gate.kernel != Kernel::hard && !(std::isfinite(tau) && tau > 0))
      throw InputError(
          fmt::format("A threshold gate has the sharpness '{}'; it must be positive and finite. Use the kernel "
                      "'hard' for an infinite one.",
                      tau));
  }
}

void check_construction(const ThresholdGate& gate) {
  const bool ordered = gate.construction == Construction::telescoping || gate.construction == Construction::cascade;
  if (ordered && !std::is_sorted(gate.theta.begin(), gate.theta.end()))
    throw InputError(
        fmt::format("A {} threshold gate has the thresholds {}; they must ascend. Sort the branches from left "
                    "to right.",
                    name(gate.construction), list(gate.theta)));
  if (gate.construction == Construction::normalised && gate.kernel != Kernel::logistic)
    throw InputError(
        fmt::format("A normalised threshold gate has the kernel '{}'; only 'logistic' has legs whose ratio is "
                    "an exponential. Use the telescoping or the cascade construction.",
                    name(gate.kernel)));
}

}  // namespace

void validate(const ThresholdGate& gate) {
  check_counts(gate);
  check_finite(gate.theta, "threshold");
  check_finite(gate.slope, "slope");
  check_finite(gate.constant, "constant");
  check_sharpness(gate);
  check_construction(gate);
}

void gate_values(const ThresholdGate& gate, double x, std::span<double> gates) {
  TELLEGEN_ASSERT(!gates.empty() && gates.size() == gate.branches() && gate.theta.size() + 1 == gates.size());
  switch (gate.construction) {
    case Construction::telescoping:
    case Construction::unequal:
      return telescoping_gates(gate, x, gates);
    case Construction::cascade:
      return cascade_gates(gate, x, gates);
    case Construction::normalised:
      return normalised_gates(gate, x, gates);
  }
}

std::vector<double> gate_values(const ThresholdGate& gate, double x) {
  std::vector<double> gates(gate.branches());
  gate_values(gate, x, gates);
  return gates;
}

double value(const ThresholdGate& gate, double x) {
  constexpr std::size_t usual = 8;  // branches; calibration calls this too often to allocate
  double few[usual];
  std::vector<double> many;
  std::span<double> gates(few, std::min(usual, gate.branches()));
  if (gate.branches() > usual) {
    many.resize(gate.branches());
    gates = many;
  }
  gate_values(gate, x, gates);
  double sum = 0;
  for (std::size_t k = 0; k < gates.size(); ++k) sum += gates[k] * (gate.slope[k] * x + gate.constant[k]);
  return sum;
}

Family family(const ThresholdGate& gate) {
  if (gate.branches() < 2) return Family::affine;
  const bool equal = std::all_of(gate.slope.begin(), gate.slope.end(), [&](double s) { return s == gate.slope[0]; });
  return equal ? Family::constant : Family::multiplicative;
}

ThresholdGate single_threshold(Kernel kernel, double tau, double theta, std::vector<double> slope,
                               std::vector<double> constant) {
  return {kernel, Construction::telescoping, {tau}, {theta}, std::move(slope), std::move(constant)};
}

std::string_view name(Kernel kernel) {
  switch (kernel) {
    case Kernel::logistic:
      return "logistic";
    case Kernel::hard:
      return "hard";
    case Kernel::ramp:
      return "ramp";
    case Kernel::erf:
      return "erf";
  }
  return "";
}

std::string_view name(Construction construction) {
  switch (construction) {
    case Construction::telescoping:
      return "telescoping";
    case Construction::cascade:
      return "cascade";
    case Construction::normalised:
      return "normalised";
    case Construction::unequal:
      return "unequal";
  }
  return "";
}

std::string_view name(Family family) {
  switch (family) {
    case Family::affine:
      return "affine";
    case Family::constant:
      return "constant";
    case Family::multiplicative:
      return "multiplicative";
  }
  return "";
}

}  // namespace tellegen::models::gating
