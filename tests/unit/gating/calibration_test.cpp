// Calibration finds the known optima, and is no worse than any stored fit.

#include "tellegen/models/gating/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/models/gating/forms.h"

namespace tellegen::models::gating {
namespace {

using testing_support::message_of;

RealFunction function(ActivationKind kind) {
  return [kind](double x) { return value(Activation{kind}, x); };
}

/// One line of the table of layers with normal inputs: relative errors are in percent, to the digits given.
struct Layer {
  double deviation, tau2, relative2, relative_1702, tau3, t3, relative3;
};
constexpr Layer kLayers[] = {
    {0.25, 1.61546, 0.213, 1.487, 1.90385, 0.44972, 0.017}, {0.5, 1.65341, 0.750, 1.244, 1.98763, 0.49182, 0.135},
    {1, 1.71191, 1.049, 1.059, 2.09839, 0.54351, 0.275},    {1.5, 1.74102, 0.857, 0.940, 2.14723, 0.56511, 0.245},
    {2, 1.75554, 0.659, 0.760, 2.17020, 0.57502, 0.195},    {3, 1.76816, 0.410, 0.493, 2.18941, 0.58320, 0.124},
    {4, 1.77314, 0.280, 0.342, 2.19681, 0.58633, 0.085}};

TEST(Calibration, GeluLayerByLayer) {
  const RealFunction gelu = function(ActivationKind::gelu_erf);
  for (const Layer& layer : kLayers) {
    const Samples samples = normal_samples(layer.deviation, 1601, 7);
    const Calibration two = calibrate(sharpness_model(), gelu, samples, Objective::rms);
    EXPECT_NEAR(two.parameters[0], layer.tau2, 5.1e-6) << layer.deviation;
    EXPECT_NEAR(100 * two.error.relative, layer.relative2, 5.1e-4) << layer.deviation;
    const ThresholdGate& usual = form_named("gelu_k2_1.702").gate;
    const FitError fixed = fit_error(samples, gelu, [&](double x) { return value(usual, x); });
    EXPECT_NEAR(100 * fixed.relative, layer.relative_1702, 5.1e-4) << layer.deviation;
    const Calibration three = calibrate(symmetric_three_model(), gelu, samples, Objective::rms);
    EXPECT_NEAR(three.parameters[0], layer.tau3, 5.1e-6) << layer.deviation;
    EXPECT_NEAR(three.parameters[1], layer.t3, 5.1e-6) << layer.deviation;
    EXPECT_NEAR(100 * three.error.relative, layer.relative3, 5.1e-4) << layer.deviation;
  }
}

/// Of narrow inputs only the curvature at 0 is seen: tau / 2 = 2 / sqrt(2 pi).
TEST(Calibration, NarrowInputsMatchTheCurvature) {
  const Calibration found =
      calibrate(sharpness_model(), function(ActivationKind::gelu_erf), normal_samples(0.01, 1601, 7), Objective::rms);
  EXPECT_NEAR(found.parameters[0], 2 * std::sqrt(2 * std::numbers::inv_pi), 1e-4);
}

struct Known {
  GateModel model;
  ActivationKind target;
  Objective objective;
  Goal goal;
  const char* form;
};

/// On the samples that a form was fitted on, calibration reaches its error or less.
TEST(Calibration, ReachesTheFormsOfTheCatalogue) {
  const Known known[] = {
      {sharpness_model(), ActivationKind::gelu_erf, Objective::minimax, Goal::minimax, "gelu_k2_minimax"},
      {sharpness_model(), ActivationKind::gelu_tanh, Objective::minimax, Goal::minimax, "gelu_tanh_k2_minimax"},
      {sharpness_model(), ActivationKind::gelu_tanh, Objective::rms, Goal::rms_normal_1, "gelu_tanh_k2_normal_1"},
      {symmetric_three_model(), ActivationKind::gelu_erf, Objective::minimax, Goal::minimax,
       "gelu_k3_symmetric_minimax"},
      {exact_tails_three_model(), ActivationKind::gelu_erf, Objective::minimax, Goal::minimax, "gelu_k3_tails_minimax"},
      {exact_tails_three_model(), ActivationKind::gelu_erf, Objective::rms, Goal::rms_normal_1,
       "gelu_k3_tails_normal_1"},
      {exact_tails_three_model(), ActivationKind::gelu_tanh, Objective::rms, Goal::rms_normal_1,
       "gelu_tanh_k3_tails_normal_1"},
      {threshold_model(), ActivationKind::mish, Objective::minimax, Goal::minimax, "mish_k2_minimax"},
      {unequal_pairs_model(), ActivationKind::tanh_sech, Objective::minimax, Goal::minimax,
       "memglu_k3_unequal_minimax"},
      {unequal_pairs_model(), ActivationKind::tanh_sech, Objective::rms, Goal::rms_normal_1,
       "memglu_k3_unequal_normal_1"},
      {three_legs_model(), ActivationKind::tanh_sech, Objective::rms, Goal::rms_normal_1,
       "memglu_k3_normalised_normal_1"},
      {closed_tails_three_model(4), ActivationKind::tanh_sech, Objective::minimax, Goal::minimax,
       "memglu_k3_telescoping_minimax"},
  };
  for (const Known& row : known) {
    const Samples samples = row.goal == Goal::minimax ? uniform_samples(-8, 8, 1601) : normal_samples(1, 1201, 7);
    const Calibration found = calibrate(row.model, function(row.target), samples, row.objective);
    const Form& form = form_named(row.form);
    const FitError stated = fit_error(samples, function(row.target), [&](double x) { return value(form.gate, x); });
    const bool minimax = row.objective == Objective::minimax;
    const double got = minimax ? found.error.maximum : found.error.rms, want = minimax ? stated.maximum : stated.rms;
    EXPECT_LE(got, want * (1 + 1e-5)) << row.form;
    EXPECT_GE(got, want * (1 - 1e-4)) << row.form << ": the stored form is not the best one";
  }
}

TEST(Calibration, RecordedSamplesOfAnExactFormGiveItBack) {
  std::vector<double> x;
  for (int i = 0; i < 500; ++i) x.push_back(3 * std::sin(0.7 * i) + 0.4);
  const Calibration found = calibrate(
      threshold_model(), [](double v) { return v * sigmoid(1.25 * (v - 0.3)); }, measured_samples(x), Objective::rms);
  EXPECT_NEAR(found.parameters[0], 1.25, 1e-7);
  EXPECT_NEAR(found.parameters[1], 0.3, 1e-7);
  EXPECT_LT(found.error.maximum, 1e-7);
  EXPECT_GT(found.evaluations, 10);
}

TEST(Calibration, SamplesAndTargetsMustBeFinite) {
  EXPECT_EQ(message_of<InputError>([] { measured_samples({}); }),
            "There are '0' samples to calibrate with; give at least one.");
  EXPECT_EQ(message_of<InputError>([] {
              measured_samples({0, std::nan("")});
            }),
            "Sample 1 to calibrate with is 'nan'; samples must be finite numbers.");
  EXPECT_EQ(message_of<InputError>([] {
              calibrate(
                  sharpness_model(), [](double x) { return 1 / x; }, measured_samples({1, 0}), Objective::rms);
            }),
            "The function to calibrate to is 'inf' at 0; it must be finite at every sample.");
}

TEST(NelderMead, FindsMinimaWithinBoundsAndPassesExceptionsOn) {
  const auto bowl = [](std::span<const double> p) { return (p[0] - 3) * (p[0] - 3) + 2 * (p[1] + 1) * (p[1] + 1) + 5; };
  const Minimum open = nelder_mead(bowl, {{0, 0}, {1, 1}, {}, {}});
  EXPECT_NEAR(open.at[0], 3, 1e-6);
  EXPECT_NEAR(open.at[1], -1, 1e-6);
  EXPECT_NEAR(open.value, 5, 1e-12);
  const Minimum bounded = nelder_mead(bowl, {{0, 0}, {1, 1}, {-10, -10}, {2, 10}});
  EXPECT_NEAR(bounded.at[0], 2, 1e-9);
  EXPECT_NEAR(bounded.value, 6, 1e-9);
  const auto holes = [&](std::span<const double> p) { return p[0] > 4 ? std::nan("") : bowl(p); };
  EXPECT_NEAR(nelder_mead(holes, {{3.9, 0}, {1, 1}, {}, {}}).at[0], 3, 1e-6);
  EXPECT_EQ(message_of<InputError>([] {
              nelder_mead([](std::span<const double>) -> double { throw InputError("no."); }, {{0}, {1}, {}, {}});
            }),
            "no.");
}

}  // namespace
}  // namespace tellegen::models::gating
