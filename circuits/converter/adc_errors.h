#pragma once
// What is wrong with a converter: fixed errors of each one, drawn at manufacture, and noise of each decision.

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "tellegen/base/config.h"

namespace tellegen::circuits {

/// Section `chip.adc.errors`. All 0: the converter is its quantiser. Steps are those of the ideal converter.
struct AdcErrors {
  double mismatch = 0;   ///< sar: unit capacitor; flash: resistor of the ladder; ramp, time_based: one step; pipeline,
                         ///< cyclic: capacitor of a stage. Standard deviation, relative
  double offset = 0;     ///< standard deviation of a comparator's offset [steps]
  double gain = 0;       ///< standard deviation of a converter's gain, relative
  double curvature = 0;  ///< of all alike: input u of the range is seen as u + curvature u (1 - u)
  double noise = 0;      ///< [steps] sar, flash: of each decision; others: of a conversion (cco: at full scale)
  std::optional<double> amplifier_gain;  ///< pipeline, cyclic: open loop, of the stage's amplifier; none: infinite
  double delay = 0;                      ///< ramp: of the comparator [steps]
  bool any() const;
  void settings(Settings& v, const std::string& kind);
};

/// What is measured after manufacture and taken off digitally.
enum class AdcCalibration {
  none,
  offset,       ///< mean error of each converter
  offset_gain,  ///< straight line through each converter's transfer
  table,        ///< each code stands for the middle of the inputs that give it
};
std::span<const std::pair<AdcCalibration, const char*>> enum_names(AdcCalibration);

}  // namespace tellegen::circuits
