// The catalogue of forms against stored vectors; every stated error is computed again.

#include "tellegen/models/gating/forms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/models/gating/fit_error.h"
#include "tellegen/models/gating/two_stage.h"
#include "vectors.h"

namespace tellegen::models::gating {
namespace {

using testing_support::message_of;

RealFunction function(const Activation& activation) {
  return [activation](double x) { return value(activation, x); };
}
RealFunction function(const ThresholdGate& gate) {
  return [&gate](double x) { return value(gate, x); };
}

FormErrors measured(const Form& form) {
  static const Samples uniform = uniform_samples(-8, 8, 32001), one = normal_samples(1, 24001),
                       two = normal_samples(2, 24001);
  const RealFunction target = function(form.target), gate = function(form.gate);
  const FitError on_range = fit_error(uniform, target, gate);
  return {on_range.maximum, on_range.rms, fit_error(one, target, gate).rms, fit_error(two, target, gate).rms};
}

TEST(Forms, NamesAreUniqueAndGatesValid) {
  std::set<std::string> names;
  for (const Form& form : form_catalog()) {
    EXPECT_TRUE(names.insert(form.name).second) << form.name;
    EXPECT_NO_THROW(validate(form.gate)) << form.name;
    EXPECT_FALSE(form.source.empty()) << form.name;
    EXPECT_TRUE(form.sentence.ends_with('.')) << form.name;
  }
  EXPECT_EQ(message_of<InputError>([] { form_named("gelu_k2_minimx"); }),
            "'gelu_k2_minimx' is not a known form; did you mean 'gelu_k2_minimax'?");
}

TEST(Forms, StoredTuplesAndOutputs) {
  const auto& stored = test::vectors("tg_forms.json");
  const auto x = test::numbers(stored["x"]);
  ASSERT_EQ(stored["forms"].size(), 57U);
  for (const auto& row : stored["forms"]) {
    const Form& form = form_named(row["name"].get<std::string>());
    EXPECT_EQ(form.target, activation_named(row["target"].get<std::string>())) << form.name;
    EXPECT_EQ(name(form.gate.kernel), row["kernel"].get<std::string>()) << form.name;
    EXPECT_EQ(name(form.gate.construction), row["construction"].get<std::string>()) << form.name;
    EXPECT_EQ(form.gate.tau, test::numbers(row["tau"])) << form.name;
    EXPECT_EQ(form.gate.theta, test::numbers(row["theta"])) << form.name;
    EXPECT_EQ(form.gate.slope, test::numbers(row["slope"])) << form.name;
    EXPECT_EQ(form.gate.constant, test::numbers(row["constant"])) << form.name;
    EXPECT_EQ(form.goal == Goal::exact, row["exact"].get<bool>()) << form.name;
    if (form.goal != Goal::exact) {
      EXPECT_NEAR(form.errors.maximum, test::number(row["errors"]["maximum"]), 2e-6) << form.name;
      EXPECT_NEAR(form.errors.uniform_8, test::number(row["errors"]["uniform_8"]), 2e-6) << form.name;
      EXPECT_NEAR(form.errors.normal_1, test::number(row["errors"]["normal_1"]), 2e-6) << form.name;
      EXPECT_NEAR(form.errors.normal_2, test::number(row["errors"]["normal_2"]), 2e-6) << form.name;
    }
    const auto y = test::numbers(row["y"]);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(value(form.gate, x[i]), y[i], 1e-13) << form.name;
  }
}

TEST(Forms, ExactTuplesAreTheActivation) {
  int exact = 0;
  for (const Form& form : form_catalog()) {
    if (form.goal != Goal::exact) continue;
    ++exact;
    for (double x = -30; x <= 30; x += 0.0625) {
      const double want = value(form.target, x);
      EXPECT_NEAR(value(form.gate, x), want, 4e-16 * std::max(1.0, std::abs(x))) << form.name << " at " << x;
    }
  }
  EXPECT_EQ(exact, 15);
}

TEST(Forms, ExactGatesFollowTheirParameters) {
  for (const Activation& activation :
       {Activation{ActivationKind::leaky_relu, 0.25}, Activation{ActivationKind::swish, 3.5},
        Activation{ActivationKind::hard_tanh, -0.5, 2}}) {
    const ThresholdGate gate = exact_gate(activation).value();
    for (double x = -6; x <= 6; x += 0.125) EXPECT_NEAR(value(gate, x), value(activation, x), 1e-15);
  }
  EXPECT_FALSE(exact_gate({ActivationKind::swish, -1}).has_value());
  for (const ActivationKind kind : {ActivationKind::elu, ActivationKind::gelu_tanh, ActivationKind::softplus,
                                    ActivationKind::mish, ActivationKind::tanh_sech})
    EXPECT_FALSE(exact_gate({kind, 1}).has_value());
}

TEST(Forms, StatedErrorsAreMeasuredAgain) {
  for (const Form& form : form_catalog()) {
    const FormErrors got = measured(form);
    const double tolerance = form.goal == Goal::exact ? 4e-15 : 1e-9;
    EXPECT_NEAR(got.maximum, form.errors.maximum, tolerance) << form.name;
    EXPECT_NEAR(got.uniform_8, form.errors.uniform_8, tolerance) << form.name;
    EXPECT_NEAR(got.normal_1, form.errors.normal_1, tolerance) << form.name;
    EXPECT_NEAR(got.normal_2, form.errors.normal_2, tolerance) << form.name;
  }
}

/// No form may be beaten, at what it was chosen for, by another one of the same shape.
TEST(Forms, EachIsTheBestOfItsShapeForItsGoal) {
  const std::pair<Goal, double FormErrors::*> goals[] = {{Goal::minimax, &FormErrors::maximum},
                                                         {Goal::rms_uniform_8, &FormErrors::uniform_8},
                                                         {Goal::rms_normal_1, &FormErrors::normal_1},
                                                         {Goal::rms_normal_2, &FormErrors::normal_2}};
  const auto shape = [](const Form& form) {
    for (const char* goal : {"_minimax", "_uniform_8", "_normal_1", "_normal_2", "_1.702"})
      if (form.name.ends_with(goal)) return form.name.substr(0, form.name.size() - std::string_view(goal).size());
    return form.name;
  };
  int compared = 0;
  for (const Form& best : form_catalog()) {
    for (const auto& [goal, error] : goals) {
      if (best.goal != goal) continue;
      for (const Form& other : form_catalog()) {
        if (&other == &best || shape(other) != shape(best)) continue;
        EXPECT_LE(best.errors.*error, other.errors.*error * (1 + 1e-6)) << best.name << " and " << other.name;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 98);
}

TEST(Forms, GeluReferenceNumbers) {
  const auto largest = [](const char* name) { return measured(form_named(name)).maximum; };
  EXPECT_NEAR(largest("gelu_k2_1.702"), 0.020334870, 5e-9);
  EXPECT_NEAR(largest("gelu_k2_minimax"), 0.013922579, 1e-9);
  EXPECT_NEAR(form_named("gelu_k2_minimax").gate.tau[0], 1.77294, 5e-6);
  EXPECT_NEAR(largest("gelu_k3_tails_minimax"), 0.003844, 5e-7);
}

/// 1.702 is the best sharpness for the gate alone: both neighbours are worse.
TEST(Forms, Sharpness1702FitsTheGate) {
  const auto gate_error = [](double tau) {
    double largest = 0;
    for (double x = -8; x <= 8; x += 1e-4) largest = std::max(largest, std::abs(sigmoid(tau * x) - normal_cdf(x)));
    return largest;
  };
  EXPECT_NEAR(gate_error(1.701745), 9.457e-3, 5e-7);
  EXPECT_LT(gate_error(1.701745), gate_error(1.7007));
  EXPECT_LT(gate_error(1.701745), gate_error(1.7027));
}

TEST(Forms, ClosedTailReferenceNumbers) {
  const auto largest = [](const char* name) { return measured(form_named(name)).maximum; };
  EXPECT_NEAR(largest("memglu_k3_unequal_minimax"), 0.0026, 5e-5);
  EXPECT_NEAR(largest("memglu_k3_normalised_minimax"), 0.0043, 5e-5);
  EXPECT_NEAR(form_named("memglu_k3_normalised_minimax").gate.slope[1], 24, 0.5);
  EXPECT_NEAR(largest("memglu_k3_telescoping_minimax"), 0.0207, 5e-5);
  for (const Form& form : form_catalog()) {
    if (form.target.kind != ActivationKind::tanh_sech || form.gate.construction != Construction::telescoping) continue;
    for (std::size_t k = 0; k < form.gate.branches(); ++k) {
      EXPECT_LE(std::abs(form.gate.slope[k]), 4 + 1e-9) << form.name;
      EXPECT_LE(std::abs(form.gate.constant[k]), 4 + 1e-9) << form.name;
    }
  }
}

TEST(TwoStageForms, StatedErrorsAreMeasuredAgain) {
  for (const TwoStageForm& form : two_stage_catalog()) {
    double largest = 0;
    for (double x = -60; x <= 60; x += 1e-3)
      largest = std::max(largest, std::abs(value(form, x) - value(form.target, x)));
    EXPECT_NEAR(largest, form.maximum_error, 1e-4 * form.maximum_error) << form.name;
  }
}

TEST(TwoStageForms, UnitsAreValidAndAsStored) {
  const auto& stored = test::vectors("softmax.json")["softplus_units"];
  for (const auto& [unit, index] : {std::pair{SoftplusUnit::one_pair, 0}, std::pair{SoftplusUnit::two_pairs, 1}}) {
    const auto& row = stored[static_cast<std::size_t>(index)];
    const auto amplitude = test::numbers(row["a"]), theta = test::numbers(row["theta"]);
    const double tau = test::number(row["tau"]);
    const ThresholdGate gate = softplus_unit(unit);
    validate(gate);
    EXPECT_EQ(family(gate), Family::constant);
    double largest = 0;
    for (double d = 0; d <= 40; d += 1e-3) {
      double want = 0;
      for (std::size_t m = 0; m < theta.size(); ++m) want += amplitude[m] * sigmoid(-tau * (d - theta[m]));
      EXPECT_NEAR(value(gate, d), want, 3e-15);
      largest = std::max(largest, std::abs(want - softplus(-d)));
    }
    EXPECT_NEAR(largest, test::number(row["max_err"]), 1e-4 * largest);
  }
  EXPECT_NEAR(value(softplus_unit(SoftplusUnit::one_pair_exact_at_0), 0), std::numbers::ln2, 1e-15);
  EXPECT_EQ(message_of<InputError>([] { exponential_unit(3); }),
            "A unit for exp(-d) has the amplitude '3'; allowed are 2, 4, 10 and 20.");
}

}  // namespace
}  // namespace tellegen::models::gating
