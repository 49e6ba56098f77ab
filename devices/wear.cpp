#include "tellegen/devices/wear.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tellegen/devices/temperature.h"

namespace tellegen::devices {

void Retention::settings(Settings& v) {
  v("lifetime", lifetime,
    "median time in which a cell goes 63 % of its way to `final` at the reference temperature; 0 s: cells keep their "
    "conductance",
    at_least(0));
  v("shape", shape, "exponent b in exp(-(t / tau)^b); 1: exponential, less: stretched", positive());
  v("spread", spread, "standard deviation of ln(tau) between cells", at_least(0));
  v("final", final, "conductance that cells end at", at_least(0));
  v("activation_energy", activation_energy,
    "E in tau ~ exp(E / kT): how much faster cells age when hot; default assumed (1.1 to 1.5 eV are used for oxides)",
    at_least(0));
  v("reference", reference, "temperature that the lifetime belongs to", positive());
}

double Retention::log_exponent(double age_s, Temperature temperature) const {
  return shape * (std::log(age_s / lifetime.si()) + arrhenius_exponent(activation_energy, temperature, reference));
}

void ReadDisturb::settings(Settings& v) {
  v("reads", reads, "reads that each cell has seen since programming", at_least(0));
  v("share_per_read", share_per_read,
    "share of its distance to `towards` that a cell moves with each read; default assumed (0 to 1e-6)", between(0, 1));
  v("towards", towards, "conductance that reading pushes cells to", at_least(0));
}

double ReadDisturb::remaining() const { return none() ? 1 : std::exp(reads * std::log1p(-share_per_read)); }

void Endurance::settings(Settings& v) {
  v("cycles", cycles, "write cycles that each cell has behind it", at_least(0));
  v("onset", onset,
    "cycles up to which the range is that of a fresh cell; default assumed (HfO2 1e6 to 1e10, PCM 1e8 to 1e9)",
    positive());
  v("on_exponent", on_exponent, "a in g_max (cycles / onset)^-a; default assumed (0 to 0.2)", at_least(0));
  v("off_exponent", off_exponent, "b in g_min (cycles / onset)^b; default assumed (0 to 0.2)", at_least(0));
}

Endurance::Window Endurance::window(Window fresh) const {
  const double closing = on_exponent + off_exponent;
  if (cycles <= onset || closing == 0) return fresh;
  const double closed_at =
      fresh.low_S > 0 ? std::log(fresh.high_S / fresh.low_S) / closing : std::numeric_limits<double>::infinity();
  const double log_cycles = std::min(std::log(cycles / onset), closed_at);
  const double high_S = fresh.high_S * std::exp(-on_exponent * log_cycles);
  return {std::min(fresh.low_S * std::exp(off_exponent * log_cycles), high_S), high_S};
}

}  // namespace tellegen::devices
