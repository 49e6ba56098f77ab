#pragma once
// What time, reads and rewriting do to stored conductances, each off until it is set: retention with thermal
// acceleration, read disturb, endurance.

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/devices/conductance_device.h"

namespace tellegen::devices {

/// G(t) = final + (G - final) exp(-(t / tau)^shape); tau falls with temperature as exp(E / kT). Each cell has a tau of
/// its own, lognormal about the median.
struct Retention {
  Time lifetime = Time::si(0);  ///< median of tau at the reference temperature; 0: for ever
  double shape = 1;
  double spread = 0;  ///< standard deviation of ln tau between cells
  Conductance final = Conductance::si(0);
  Energy activation_energy = Energy::si(1.1 * 1.602176634e-19);
  Temperature reference = Temperature::si(358.15);
  void settings(Settings& v);
  bool none() const { return lifetime.si() == 0; }
  /// ln((t / tau)^shape) of the median cell; t above 0.
  double log_exponent(double age_s, Temperature temperature) const;
};

/// Each read moves a cell by a share of its distance to where the read voltage pushes it.
struct ReadDisturb {
  double reads = 0;  ///< since programming
  double share_per_read = 1e-9;
  Conductance towards = Conductance::si(0);
  void settings(Settings& v);
  bool none() const { return reads == 0 || share_per_read == 0; }
  /// What is left of the distance after all reads.
  double remaining() const;
};

/// The window between the two ends of the range closes with the write cycles n that cells have behind them: on / (n /
/// onset)^on_exponent, off * (n / onset)^off_exponent, until both ends meet.
struct Endurance {
  double cycles = 0;
  double onset = 1e6;  ///< cycles up to which nothing happens
  double on_exponent = 0.05;
  double off_exponent = 0.05;
  void settings(Settings& v);
  struct Window {
    double low_S, high_S;
  };
  /// What is left of a fresh window.
  Window window(Window fresh) const;
};

}  // namespace tellegen::devices
