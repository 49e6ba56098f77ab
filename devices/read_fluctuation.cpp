#include "tellegen/devices/read_fluctuation.h"

#include <algorithm>
#include <cmath>

namespace tellegen::devices {

void FlickerNoise::settings(Settings& v) {
  v("q", q, "strength of 1/f read noise, S_G / G^2 = q / f; 0: none", at_least(0));
  v("read_time", read_time, "length of one read, which is blind to faster noise", positive());
  v("t0", t0, "time from programming to age zero; noise slower than the time since programming counts as conductance",
    positive());
}

double flicker_variance(double q, double f_low_Hz, double f_high_Hz) {
  return q * std::max(0.0, std::log(f_high_Hz / f_low_Hz));
}

double FlickerNoise::relative_variance(double age_s) const {
  return flicker_variance(q, 1 / (age_s + t0.si() + read_time.si()), 1 / (2 * read_time.si()));
}

std::span<const std::pair<TelegraphReads, const char*>> enum_names(TelegraphReads) {
  static constexpr std::pair<TelegraphReads, const char*> names[] = {{TelegraphReads::independent, "independent"},
                                                                     {TelegraphReads::held, "held"}};
  return names;
}

void TelegraphNoise::settings(Settings& v) {
  v("amplitude", amplitude, "share of the programmed conductance that a filled trap takes away, at g_max; 0: no traps",
    between(0, 1));
  v("growth", growth, "exponent a of (g_max / G)^a, by which the share grows towards low conductances", at_least(0));
  v("capture", capture, "mean time until an empty trap fills", positive());
  v("emission", emission, "mean time until a filled trap empties", positive());
  v("reads", reads,
    "independent: reads far apart in time, the trap adds to the variance of each; held: reads close together, all see "
    "the trap in the one state that it has at this age");
}

}  // namespace tellegen::devices
