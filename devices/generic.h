#pragma once
// A device made of standard parts, for sweeps and for data sheets: spread of programming, read noise, power-law drift,
// temperature, levels, stuck cells; retention and wear are in wear.h, 1/f and telegraph noise in read_fluctuation.h.

#include <span>
#include <utility>
#include <vector>

#include "tellegen/devices/read_fluctuation.h"
#include "tellegen/devices/statistical_device.h"
#include "tellegen/devices/wear.h"

namespace tellegen::devices {

/// sigma(G) = absolute + proportional * G.
struct SpreadLaw {
  Conductance absolute = Conductance::si(0);
  double proportional = 0;
  void settings(Settings& v);
};

enum class Distribution { normal, uniform, lognormal };
std::span<const std::pair<Distribution, const char*>> enum_names(Distribution);

/// How programmed conductances scatter about their targets; the mean is the target whatever the form.
struct ProgrammingNoise {
  SpreadLaw law;  ///< its settings stand in the same mapping
  std::vector<Conductance>
      per_level;  ///< sigma at evenly spaced targets from g_min to g_max, linear between; instead of the law
  Distribution form = Distribution::normal;
  void settings(Settings& v);
};

/// G(t) = G ((t + t0) / t0)^-nu, nu ~ Normal(exponent, spread) for each cell.
struct PowerLawDrift {
  double exponent = 0;
  double spread = 0;
  Time t0 = Time::si(1);
  void settings(Settings& v);
};

/// G(T) = G exp(-E / k (1 / T - 1 / reference)), E ~ Normal(activation_energy, spread) for each cell.
struct ArrheniusLaw {
  Energy activation_energy = Energy::si(0);
  Energy spread = Energy::si(0);
  Temperature reference = Temperature::si(300);
  void settings(Settings& v);
};

struct GenericParameters final : DeviceParameters {
  CellRange range;
  ProgrammingNoise programming_noise;
  SpreadLaw read_noise;
  FlickerNoise flicker;
  TelegraphNoise telegraph;
  PowerLawDrift drift;
  Retention retention;
  ReadDisturb read_disturb;
  Endurance endurance;
  ArrheniusLaw thermal;
  void settings(Settings& v) override;
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry generic_entry();

}  // namespace tellegen::devices
