#pragma once
// Read noise with a spectrum, for devices from standard parts: 1/f, and random telegraph noise.

#include <span>
#include <utility>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/devices/random_telegraph.h"

namespace tellegen::devices {

/// S_G / G^2 = q / f. A read of length read_time, a time t after programming, sees the band from 1 / (t + read_time) to
/// 1 / (2 read_time).
struct FlickerNoise {
  double q = 0;
  Time read_time = Time::si(250e-9);
  Time t0 = Time::si(1);  ///< time from programming to age zero
  void settings(Settings& v);
  /// sigma^2 / G^2 = q ln(f_high / f_low).
  double relative_variance(double age_s) const;
};
/// q ln(f_high / f_low).
double flicker_variance(double q, double f_low_Hz, double f_high_Hz);

/// How the reads of one evaluation relate to each other.
enum class TelegraphReads { independent, held };
std::span<const std::pair<TelegraphReads, const char*>> enum_names(TelegraphReads);

/// One trap per cell, empty at the end of programming. Filled, it takes away a share of the conductance as programmed:
/// amplitude (g_max / G)^growth, at most all of it.
struct TelegraphNoise {
  double amplitude = 0;
  double growth = 0;
  Time capture = Time::si(1e-3);
  Time emission = Time::si(4e-3);
  TelegraphReads reads = TelegraphReads::independent;
  void settings(Settings& v);
  bool none() const { return amplitude == 0; }
  RandomTelegraph trap() const { return {capture.si(), emission.si()}; }
};

}  // namespace tellegen::devices
