#include <limits>

#include "tellegen/models/gating/form_tables.h"

namespace tellegen::models::gating {

namespace {

using Kind = ActivationKind;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// One branch between two thresholds, flat outside.
ThresholdGate hard_between(double low, double high, double slope, double low_value, double middle, double high_value) {
  return {Kernel::hard,  Construction::telescoping,      {kInfinite}, {low, high},
          {0, slope, 0}, {low_value, middle, high_value}};
}

void add(std::vector<Form>& forms, const char* name, const char* sentence, const Activation& target,
         ThresholdGate gate) {
  forms.push_back({name, sentence, kThresholdGating, target, Goal::exact, {}, std::move(gate)});
}

}  // namespace

std::optional<ThresholdGate> exact_gate(const Activation& activation) {
  const auto [kind, a, b] = activation;
  switch (kind) {
    case Kind::identity:
      return ThresholdGate{Kernel::logistic, Construction::telescoping, {}, {}, {1}, {0}};
    case Kind::relu:
      return single_threshold(Kernel::hard, kInfinite, 0, {0, 1}, {0, 0});
    case Kind::leaky_relu:
      return single_threshold(Kernel::hard, kInfinite, 0, {a, 1}, {0, 0});
    case Kind::hard_tanh:
      return hard_between(a, b, 1, a, 0, b);
    case Kind::hard_sigmoid:
      return hard_between(-3, 3, 1.0 / 6, 0, 0.5, 1);
    case Kind::hard_swish:
      return single_threshold(Kernel::ramp, 1.0 / 6, 0, {0, 1}, {0, 0});
    case Kind::sigmoid:
      return single_threshold(Kernel::logistic, 1, 0, {0, 0}, {0, 1});
    case Kind::tanh:
      return single_threshold(Kernel::logistic, 2, 0, {0, 0}, {-1, 1});
    case Kind::swish:
      if (!(a > 0)) return std::nullopt;
      return single_threshold(Kernel::logistic, a, 0, {0, 1}, {0, 0});
    case Kind::gelu_erf:
      return single_threshold(Kernel::erf, 1, 0, {0, 1}, {0, 0});
    case Kind::elu:
    case Kind::gelu_tanh:
    case Kind::softplus:
    case Kind::mish:
    case Kind::tanh_sech:
    case Kind::sech:
    case Kind::x_sech:
      return std::nullopt;
  }
  return std::nullopt;
}

void add_exact_forms(std::vector<Form>& forms) {
  const auto derived = [&](const char* name, const char* sentence) {
    const Activation& target = activation_named(name);
    add(forms, name, sentence, target, *exact_gate(target));
  };
  derived("identity", "One branch: a product without an activation in front.");
  derived("relu", "A comparator that switches between 0 and x.");
  derived("leaky_relu", "A comparator that switches between a x and x; PReLU has one a per channel.");
  derived("hard_tanh", "Two comparators around the linear range.");
  derived("hard_tanh_0_20", "Two comparators around the linear range, 0 to 20.");
  derived("relu6", "Two comparators around the linear range, 0 to 6.");
  derived("hard_sigmoid", "Two comparators around (x + 3) / 6.");
  add(forms, "hard_sigmoid_ramp", "One linear ramp that carries a constant.", activation_named("hard_sigmoid"),
      single_threshold(Kernel::ramp, 1.0 / 6, 0, {0, 0}, {0, 1}));
  derived("hard_swish", "One linear ramp that carries x.");
  add(forms, "hard_tanh_ramp", "One linear ramp between -1 and 1.", activation_named("hard_tanh"),
      single_threshold(Kernel::ramp, 0.5, 0, {0, 0}, {-1, 1}));
  derived("sigmoid", "One pair that carries a constant.");
  derived("tanh", "One pair of twice the sharpness, both outputs used.");
  derived("silu", "One pair that carries x.");
  derived("swish_2", "One pair of sharpness 2 that carries x.");
  derived("gelu_erf", "A threshold with the normal distribution function that carries x.");
}

}  // namespace tellegen::models::gating
