#pragma once
// Phase-change memory as published statistics: programming error, drift with a spread of its own, read noise that
// accumulates as 1/f. A law (pcm_joshi.h and others) gives the four functions of g = G / g_max; this file and
// pcm_device.h say how they act.

#include <algorithm>
#include <cmath>

#include "tellegen/devices/real_math.h"
#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// Below this share of g_max the logarithms of the laws are no longer followed.
inline constexpr double pcm_smallest_share = 1e-7;

/// ln((age + t0) / t0): the conductance falls by exp(-nu * this). Zero at age zero.
inline double drift_log_time(double age_s, double t0_s) { return std::log1p(age_s / t0_s); }

/// Integral of a 1/f spectrum from 1 / (t + t_read) to 1 / (2 t_read), t = age + t0: ln((t + t_read) / (2 t_read)), at
/// least 0.
inline double read_noise_log_time(double age_s, double t0_s, double t_read_s) {
  return std::max(0.0, std::log((age_s + t0_s + t_read_s) / (2 * t_read_s)));
}

/// Logarithm of the share that a law is followed at.
template <class Real>
TELLEGEN_KERNEL Real pcm_ln_share(Real programmed_share) {
  const Real smallest = static_cast<Real>(pcm_smallest_share);
  return ln(programmed_share < smallest ? smallest : programmed_share);
}

/// Drift exponent of a cell: |mu + sigma normal|, both functions of the conductance as programmed and its logarithm.
template <class Law, class Real>
TELLEGEN_KERNEL Real pcm_drift_exponent(Real programmed_share, Real ln_share, Real normal) {
  return std::abs(Law::drift_mean(programmed_share, ln_share) + Law::drift_spread(programmed_share, ln_share) * normal);
}
template <class Law, class Real>
TELLEGEN_KERNEL Real pcm_drift_exponent(Real programmed_share, Real normal) {
  return pcm_drift_exponent<Law>(programmed_share, pcm_ln_share(programmed_share), normal);
}

/// Variance of one read: (G_drifted q)^2 times the log time; q belongs to the conductance as programmed, not to the
/// drifted one.
template <class Law, class Real>
TELLEGEN_KERNEL Real pcm_read_variance(Real programmed_share, Real drifted_S, Real log_time) {
  const Real sigma_S = drifted_S * Law::read_amplitude(programmed_share, pcm_ln_share(programmed_share));
  return sigma_S * sigma_S * log_time;
}

struct PcmTimes {
  double t0_s;      ///< from programming to the read at which drift starts to count
  double t_read_s;  ///< width of the read pulse
};

/// The settings of all PCM models.
struct PcmParameters : DeviceParameters {
  CellRange range;
  Time t0;
  Time read_time;
  PcmParameters(Conductance g_max, PcmTimes times) : t0(Time::si(times.t0_s)), read_time(Time::si(times.t_read_s)) {
    range.g_max = g_max;
  }
  void settings(Settings& v) override;
};

}  // namespace tellegen::devices
