#pragma once
// The free numbers of a threshold gate, fitted to a target on samples: per layer on what the layer sees, or on a
// distribution.

#include <span>
#include <string>
#include <vector>

#include "tellegen/models/gating/fit_error.h"
#include "tellegen/models/gating/nelder_mead.h"
#include "tellegen/models/gating/threshold_gate.h"

namespace tellegen::models::gating {

/// A family of gates with a few free numbers.
struct GateModel {
  std::string name;
  SearchSpace space;
  std::function<ThresholdGate(std::span<const double>)> gate;
};
/// K = 2, slopes 0 and 1, threshold 0: one sharpness.
GateModel sharpness_model();
/// K = 2, slopes 0 and 1: sharpness and threshold.
GateModel threshold_model();
/// K = 3, thresholds -t and t, slopes 0, 1/2, 1, no constants: sharpness and t.
GateModel symmetric_three_model();
/// The same with a constant in the middle: sharpness, t and the constant. The default for GELU.
GateModel exact_tails_three_model();
/// K = 3 telescoping, thresholds -t and t, the middle carries s x with |s| <= limit: sharpness, t, s.
GateModel closed_tails_three_model(double limit);
/// Two pairs of unequal sharpness at threshold 0: a (tanh(p x / 2) - tanh(q x / 2)), numbers a, p, q.
GateModel unequal_pairs_model();
/// Three legs on one tail, A x / (q + cosh(tau x)): numbers A, q, tau.
GateModel three_legs_model();

enum class Objective {
  rms,     ///< root of the weighted mean square error
  minimax  ///< largest |error| at any of the samples
};

struct Calibration {
  ThresholdGate gate;
  std::vector<double> parameters;  ///< the free numbers of the model
  FitError error;                  ///< on the samples it was fitted to
  int evaluations = 0;
};
/// The best gate of `model` on `samples`, a local optimum from the model's start. An InputError where the target is not
/// finite at a sample.
Calibration calibrate(const GateModel& model, const RealFunction& target, const Samples& samples, Objective objective);

}  // namespace tellegen::models::gating
