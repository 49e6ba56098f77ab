#pragma once
// Random telegraph noise of one trap: two states, exponentially distributed times in each. Everything here is exact;
// nothing depends on how fine a time step is. Machlup, J. Appl. Phys. 25:341 (1954).

#include <cmath>
#include <cstdint>
#include <span>

#include "tellegen/base/random.h"

namespace tellegen::devices {

/// The conductance is high while the trap is empty and lower by a step while it is filled.
struct RandomTelegraph {
  double capture_s = 1e-3;   ///< mean time until an empty trap fills
  double emission_s = 4e-3;  ///< mean time until a filled trap empties

  double relaxation_s() const { return 1 / (1 / capture_s + 1 / emission_s); }
  double share_empty() const { return capture_s / (capture_s + emission_s); }
  double share_filled() const { return emission_s / (capture_s + emission_s); }
  /// Probability that a trap that was empty is filled a time later; and the other way round.
  double fills_within(double t_s) const { return -share_filled() * std::expm1(-t_s / relaxation_s()); }
  double empties_within(double t_s) const { return -share_empty() * std::expm1(-t_s / relaxation_s()); }

  /// Variance of the conductance in equilibrium, S^2.
  double variance_S2(double step_S) const { return step_S * step_S * share_empty() * share_filled(); }
  /// Covariance of the conductance at two times `lag_s` apart, S^2.
  double covariance_S2(double step_S, double lag_s) const {
    return variance_S2(step_S) * std::exp(-std::abs(lag_s) / relaxation_s());
  }
  /// One-sided spectral density, S^2/Hz: its integral over all positive frequencies is the variance.
  double spectrum_S2_per_Hz(double step_S, double f_Hz) const;
};

/// Moves each trap of `filled` (0 or 1) on by t_s; trap i takes element first + i of `stream`, so consecutive steps of
/// the same traps take consecutive runs of elements.
void advance_traps(const RandomTelegraph& trap, double t_s, const Stream& stream, std::uint64_t first,
                   std::span<std::uint8_t> filled);

}  // namespace tellegen::devices
