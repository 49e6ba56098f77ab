#include "tellegen/devices/technology/wires.h"

namespace tellegen::devices {

double WireGeometry::resistance_ohm_per_m() const {
  return resistivity_ohm_m / (width_m * thickness_m - barrier_m * (2 * thickness_m + width_m));
}

double wire_temperature_factor(double temperature_K) {
  constexpr double per_kelvin = 0.00451;
  return 1 + per_kelvin * (temperature_K - 300);
}

ConstantFieldScaling constant_field_scaling(Length from, Length to) {
  const double s = to / from;
  return {.length = s,
          .area = s * s,
          .voltage = s,
          .capacitance = s,
          .delay = s,
          .energy = s * s * s,
          .wire_resistance_per_length = 1 / (s * s)};
}

}  // namespace tellegen::devices
