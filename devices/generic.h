#pragma once
// A device made of standard parts, for sweeps and for data sheets: spread of programming, read noise, power-law drift,
// levels, stuck cells.

#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// sigma(G) = absolute + proportional * G.
struct SpreadLaw {
  Conductance absolute = Conductance::si(0);
  double proportional = 0;
  void settings(Settings& v);
};

/// G(t) = G ((t + t0) / t0)^-nu, nu ~ Normal(exponent, spread) for each cell.
struct PowerLawDrift {
  double exponent = 0;
  double spread = 0;
  Time t0 = Time::si(1);
  void settings(Settings& v);
};

struct GenericParameters final : DeviceParameters {
  CellRange range;
  SpreadLaw programming_noise;
  SpreadLaw read_noise;
  PowerLawDrift drift;
  void settings(Settings& v) override;
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry generic_entry();

}  // namespace tellegen::devices
