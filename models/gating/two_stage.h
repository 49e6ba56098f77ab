#pragma once
// Activations as two threshold gates one behind the other, where a single one would need large slopes: a hard gate on x, and
// a constant-family gate on its magnitude.

#include <span>
#include <string>

#include "tellegen/models/gating/activation.h"
#include "tellegen/models/gating/threshold_gate.h"

namespace tellegen::models::gating {

/// What the second gate sees; never negative.
enum class Fold {
  magnitude,      ///< |x|
  negative_part,  ///< max(-x, 0)
};

/// first(x) + second(fold(x)) + offset.
struct TwoStageForm {
  std::string name;
  std::string sentence;
  std::string source;
  Activation target;
  double maximum_error = 0;  ///< of |error|, for every x
  ThresholdGate first;
  Fold fold = Fold::magnitude;
  ThresholdGate second;
  double offset = 0;
};
double value(const TwoStageForm& form, double x);

/// Softplus and ELU.
std::span<const TwoStageForm> two_stage_catalog();

/// softplus(-d), d >= 0, as a constant-family gate.
enum class SoftplusUnit {
  one_pair,             ///< K = 2, error 4.03e-4
  one_pair_exact_at_0,  ///< K = 2 through log 2 at d = 0, error 4.76e-4
  two_pairs             ///< K = 3, error 1.16e-6
};
ThresholdGate softplus_unit(SoftplusUnit unit);
/// exp(-d), d >= 0, as `amplitude` times one falling pair: the best sharpness and threshold for amplitude 2, 4, 10 or 20;
/// an InputError for others.
ThresholdGate exponential_unit(double amplitude);

}  // namespace tellegen::models::gating
