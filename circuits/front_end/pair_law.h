#pragma once
// The differential pair in all regions, normalised: dv = dV / (n kT/q) between the gates, ic = I_tail / (2 I_spec) the
// inversion coefficient of each side at balance, `share` the part of the tail current that flows through side 1.
// Saturated EKV transistors (charge form), so the bulk may be grounded or tied to the source.

namespace tellegen::circuits {

/// Which dv steers `share` (within 0 .. 1, both open) to side 1: dv = 2 (q1 - q2) + ln(q1 / q2), explicit.
double pair_voltage(double share, double ic);

/// Both shares of a pair at dv; each keeps its own digits where it is small. ic = 0 is the weak-inversion limit,
/// sigma(dv). Safeguarded Newton on the logit, to rounding.
struct PairShares {
  double one = 0, two = 0;
};
PairShares pair_shares(double dv, double ic);

/// d share / d dv at dv.
double pair_slope(double dv, double ic);

/// Potential of the common source, (v_cm/n-referred pinch-off of side 2 - V_S) / (kT/q) = 2 q2 + ln q2: how far the
/// source lies below the pinch-off voltage of the gate at the reference.
double source_depth(double dv, double ic);

/// The sigmoid nearest to a pair: sigma(sharpness * dv) with the least largest deviation, and that deviation.
struct NearestSigmoid {
  double sharpness = 1;  ///< 1 in weak inversion; multiplies 1 / (n kT/q)
  double deviation = 0;
};
NearestSigmoid nearest_sigmoid(double ic);

/// White noise of I_1 over that of the partition of a weakly inverted pair, 2 q I_1 I_2 / I_tail, at balance: 1 in weak
/// inversion.
double balanced_noise_factor(double ic);

}  // namespace tellegen::circuits
