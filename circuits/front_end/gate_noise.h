#pragma once
// Noise of a threshold gate: of its pairs, tails, mirrors and references, integrated over its band.

#include <vector>

#include "tellegen/circuits/front_end/gate_design.h"

namespace tellegen::circuits {

/// Variances of one pair's currents in y^2, as the kernels take them (pair_kernels.h).
struct PairNoise {
  double partition = 0;                   ///< of I_1, per unit of tail and of share (1 - share)
  double gate_variance = 0;               ///< of dv
  double mirror_one = 0, mirror_two = 0;  ///< of y, per unit of I_1 and of I_2
  double tail_white = 0, tail_flicker = 0;
  double comparator_x = 0;  ///< standard deviation at the input of a comparator, in x
};

class GateNoise {
 public:
  /// bandwidth_Hz is the equivalent noise bandwidth.
  GateNoise(const ThresholdDesign& design, double bandwidth_Hz);
  const std::vector<PairNoise>& pairs() const { return pairs_; }
  const FrontEndNoise& at_input() const { return at_input_; }
  /// Standard deviation of y where the pairs stand at `states`; of comparators without the jitter of the decision.
  double output(const ThresholdDesign& design, const std::vector<PairState>& states) const;

 private:
  std::vector<PairNoise> pairs_;
  FrontEndNoise at_input_;
};

}  // namespace tellegen::circuits
