#pragma once
// How units of a threshold gate differ from one another, and what trimming leaves of it.

#include <vector>

#include "tellegen/circuits/front_end/gate_design.h"

namespace tellegen::circuits {

/// A trimming DAC: corrections -range .. range in 2^bits evenly spaced steps, the nearest one to what is to be corrected.
struct TrimDac {
  int bits = 5;
  double range = 0;
  double step() const;
  /// What is left of `error`: within half a step where |error| <= range + step / 2, else what exceeds the range.
  double correction(double error) const;
  bool clips(double error) const;
};

/// Standard deviations of one pair's errors, at the temperature of the design.
struct PairDeviation {
  double offset_V = 0;     ///< at the gates, threshold and beta together
  double threshold_V = 0;  ///< the part that does not change with temperature
  double beta_V = 0;       ///< n kT/q / G sigma(d beta / beta): grows with temperature
  double theta = 0;        ///< offset in x
  double sharpness = 0, gain = 0;
  /// At the temperature of trimming, and what it can correct.
  double beta_V_when_trimmed = 0, gain_when_trimmed = 0, theta_range = 0, gain_range = 0;
};

/// Errors of units of a design: three planes per pair (theta in x, sharpness, gain), and one of the base where there is
/// one.
class GateMismatch {
 public:
  explicit GateMismatch(const ThresholdDesign& design);
  const std::vector<ErrorPlane>& planes() const { return planes_; }
  const std::vector<PairDeviation>& pairs() const { return pairs_; }
  UnitErrors sample(const Stream& stream, std::uint64_t first_unit, std::int64_t units) const;

 private:
  /// Standard normal draws become relative errors of currents, trimmed where the design trims.
  void scale_gains(const PairDeviation& d, std::span<float> draws) const;
  void sample_pair(std::size_t k, const Stream& stream, std::uint64_t first_unit, UnitErrors& errors) const;

  bool has_base_;
  std::optional<TrimSettings> trim_;
  std::vector<double> volts_per_x_;  ///< at the gates
  std::vector<PairDeviation> pairs_;
  PairDeviation base_;  ///< only its gain
  std::vector<ErrorPlane> planes_;
};

}  // namespace tellegen::circuits
