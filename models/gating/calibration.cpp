#include "tellegen/models/gating/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/gating/form_tables.h"

namespace tellegen::models::gating {

namespace {

constexpr double kLeast = 1e-6;  // sharpness and other numbers that must stay above 0
constexpr double kUnbounded = HUGE_VAL;

/// Powers that lead to the maximum: the simplex is not caught in its corners on the way.
constexpr double kPowers[] = {4, 12, 40};

class Objectives {
 public:
  Objectives(const GateModel& model, const RealFunction& target, const Samples& samples)
      : model_(model), samples_(samples) {
    for (const double x : samples.x) {
      wanted_.push_back(target(x));
      if (!std::isfinite(wanted_.back()))
        throw InputError(fmt::format("The function to calibrate to is '{}' at {}; it must be finite at every sample.",
                                     wanted_.back(), x));
    }
    errors_.resize(wanted_.size());
  }

  double rms(std::span<const double> parameters) {
    fill(parameters);
    double sum = 0;
    for (std::size_t i = 0; i < errors_.size(); ++i) sum += samples_.weight[i] * errors_[i] * errors_[i];
    return std::sqrt(sum);
  }
  double maximum(std::span<const double> parameters) {
    fill(parameters);
    return *std::max_element(errors_.begin(), errors_.end());
  }
  /// (mean |error|^power)^(1 / power), scaled by the maximum so that nothing underflows.
  double norm(std::span<const double> parameters, double power) {
    const double largest = maximum(parameters);
    if (largest == 0) return 0;
    double sum = 0;
    for (const double error : errors_) sum += std::pow(error / largest, power);
    return largest * std::pow(sum / static_cast<double>(errors_.size()), 1 / power);
  }

 private:
  void fill(std::span<const double> parameters) {
    const ThresholdGate gate = model_.gate(parameters);
    for (std::size_t i = 0; i < errors_.size(); ++i) errors_[i] = std::abs(value(gate, samples_.x[i]) - wanted_[i]);
  }

  const GateModel& model_;
  const Samples& samples_;
  std::vector<double> wanted_, errors_;
};

}  // namespace

GateModel sharpness_model() {
  return {"K = 2, sharpness", {{1.7}, {0.2}, {kLeast}, {kUnbounded}}, [](std::span<const double> p) {
            return single_threshold(Kernel::logistic, p[0], 0, {0, 1}, {0, 0});
          }};
}

GateModel threshold_model() {
  return {"K = 2, sharpness and threshold",
          {{1.5, 0}, {0.2, 0.2}, {kLeast, -kUnbounded}, {kUnbounded, kUnbounded}},
          [](std::span<const double> p) {
            return single_threshold(Kernel::logistic, p[0], p[1], {0, 1}, {0, 0});
          }};
}

GateModel symmetric_three_model() {
  return {"K = 3, sharpness and thresholds",
          {{2.1, 0.55}, {0.2, 0.1}, {kLeast, 0}, {kUnbounded, kUnbounded}},
          [](std::span<const double> p) { return symmetric_three(p[0], p[1], 0); }};
}

GateModel exact_tails_three_model() {
  return {"K = 3, exact tails",
          {{2.1, 0.55, 0}, {0.2, 0.1, 0.01}, {kLeast, 0, -kUnbounded}, {kUnbounded, kUnbounded, kUnbounded}},
          [](std::span<const double> p) { return symmetric_three(p[0], p[1], p[2]); }};
}

GateModel closed_tails_three_model(double limit) {
  return {"K = 3, closed tails",
          {{1.6, 0.3, 0.9 * limit}, {0.2, 0.1, 0.1}, {kLeast, 0, -limit}, {kUnbounded, kUnbounded, limit}},
          [](std::span<const double> p) {
            return ThresholdGate{Kernel::logistic, Construction::telescoping, {p[0]}, {-p[1], p[1]}, {0, p[2], 0},
                                 {0, 0, 0}};
          }};
}

GateModel unequal_pairs_model() {
  return {"two unequal pairs",
          {{1.4, 2.5, 1.1}, {0.1, 0.2, 0.1}, {-kUnbounded, kLeast, kLeast}, {kUnbounded, kUnbounded, kUnbounded}},
          [](std::span<const double> p) {
            return ThresholdGate{Kernel::logistic, Construction::unequal, {p[2], p[1]}, {0, 0},
                                 {0, 0, 0},        {0, -2 * p[0], 0}};
          }};
}

GateModel three_legs_model() {
  return {"three legs",
          {{1.2, 0.2, 1.5}, {0.1, 0.05, 0.1}, {-kUnbounded, kLeast, kLeast}, {kUnbounded, kUnbounded, kUnbounded}},
          [](std::span<const double> p) { return three_legs(p[0], p[1], p[2]); }};
}

Calibration calibrate(const GateModel& model, const RealFunction& target, const Samples& samples, Objective objective) {
  TELLEGEN_ASSERT(!samples.x.empty() && samples.weight.size() == samples.x.size());
  Objectives objectives(model, target, samples);
  SearchSpace space = model.space;
  int evaluations = 0;
  const auto search = [&](auto&& function) {
    const Minimum minimum = nelder_mead(function, space);
    space.start = minimum.at;
    evaluations += minimum.evaluations;
  };
  if (objective == Objective::rms) {
    search([&](std::span<const double> p) { return objectives.rms(p); });
  } else {
    for (const double power : kPowers) search([&](std::span<const double> p) { return objectives.norm(p, power); });
    search([&](std::span<const double> p) { return objectives.maximum(p); });
  }
  Calibration found{model.gate(space.start), space.start, {}, evaluations};
  validate(found.gate);
  found.error = fit_error(samples, target, [&](double x) { return value(found.gate, x); });
  return found;
}

}  // namespace tellegen::models::gating
