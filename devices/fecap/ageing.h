#pragma once
// What cycles and time do to a ferroelectric: wake-up and fatigue, retention, imprint. Not derived but read off
// published curves, so every set names its paper.

#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/devices/fecap/quantities.h"
#include "tellegen/devices/technology/confidence.h"

namespace tellegen::devices {

/// Remanent polarization after so many full switching cycles, as a share of the pristine one; above 1 after wake-up.
struct EndurancePoint {
  double cycles = 1;
  double remanent = 1;
  void settings(Settings& v);
};

struct FerroelectricAgeing {
  std::vector<EndurancePoint> endurance;  ///< ascending in cycles; empty: no change
  Time retention_time = Time::si(0);      ///< 0: no loss
  double retention_exponent = 0.25;
  ElectricField imprint_per_decade = ElectricField::si(0);
  Time imprint_start = Time::si(1);
  void settings(Settings& v);

  /// Straight between the points over log10(cycles), held before the first and after the last.
  double remanent_share(double cycles) const;
  /// Stretched exponential exp(-(t/retention_time)^exponent): what is left of the polarization after t_s.
  double retained_share(double t_s) const;
  /// imprint_per_decade log10(1 + t/imprint_start), towards the stored state.
  double imprint_V_per_m(double t_s) const;
};

/// A line of the catalogue of measured ageing.
struct AgeingEntry {
  std::string name, summary, source;
  Confidence confidence;
  std::string smallest_yaml;  ///< a complete file: "fecap: {ageing: {data: name}}"
  FerroelectricAgeing ageing;
};
const std::vector<AgeingEntry>& ageing_catalog();
const std::vector<std::string>& ageing_names();
/// Throws InputError listing the known names.
const AgeingEntry& find_ageing(const std::string& name);

/// `ageing:` in a file: a measured set, each number of which may be overridden.
struct AgeingConfig {
  std::string data = "none";
  FerroelectricAgeing ageing;
  void settings(Settings& v);

 private:
  std::string made_for_ = "none";
};

}  // namespace tellegen::devices
