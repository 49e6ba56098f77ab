#include "tellegen/circuits/converter/adc_errors.h"

#include <array>

namespace tellegen::circuits {

bool AdcErrors::any() const {
  return mismatch != 0 || offset != 0 || gain != 0 || curvature != 0 || noise != 0 || amplifier_gain || delay != 0;
}

void AdcErrors::settings(Settings& v, const std::string& kind) {
  const bool staged = kind == "pipeline" || kind == "cyclic";
  v("mismatch", mismatch, "relative standard deviation of one unit: capacitor, resistor or step, by kind",
    between(0, 0.5));
  v("offset", offset, "standard deviation of a comparator's offset, in steps", between(0, 65536));
  v("gain", gain, "relative standard deviation of a converter's gain", between(0, 0.5));
  v("curvature", curvature, "of all converters alike: input u of the range is seen as u + curvature u (1 - u)",
    between(-0.9, 0.9));
  v("noise", noise, "in steps; kinds sar and flash: of each decision, others: of a conversion", between(0, 65536));
  v("amplifier_gain", amplifier_gain, "kinds pipeline and cyclic: gain of the stages' amplifier; none: infinite",
    at_least(4));
  v("delay", delay, "kind ramp: delay of the comparator, in steps of the ramp", between(0, 65536));
  v.require(!amplifier_gain || staged, "amplifier_gain",
            "is of kinds pipeline and cyclic; kind '" + kind + "' has no amplifier between stages.");
  v.require(delay == 0 || kind == "ramp", "delay", "is of kind ramp; kind '" + kind + "' decides on command.");
}

std::span<const std::pair<AdcCalibration, const char*>> enum_names(AdcCalibration) {
  static constexpr std::array<std::pair<AdcCalibration, const char*>, 4> names = {
      {{AdcCalibration::none, "none"},
       {AdcCalibration::offset, "offset"},
       {AdcCalibration::offset_gain, "offset_gain"},
       {AdcCalibration::table, "table"}}};
  return names;
}

}  // namespace tellegen::circuits
