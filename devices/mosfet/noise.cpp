#include "tellegen/devices/mosfet/noise.h"

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {
namespace {

/// Flicker density at 1 Hz; at f it is 1/f of that.
double flicker_at_1Hz(const MosfetConfig& config, const OperatingPoint& point) {
  const double area_m2 = (config.width * config.length).si();
  const double gate_V2_per_Hz = config.card.flicker.si() * config.card.flicker.si() / area_m2;
  return point.gm_S * point.gm_S * gate_V2_per_Hz;
}

}  // namespace

double shot_noise_A2_per_Hz(double i_A) { return 2 * elementary_charge_C * std::abs(i_A); }

double thermal_noise_A2_per_Hz(const Mosfet& transistor, const OperatingPoint& point, double excess) {
  return excess * 4 * boltzmann_J_per_K * transistor.temperature_K() * transistor.specific_current_A() /
         transistor.thermal_voltage_V() * ekv::mean_charge(point.q_forward, point.q_reverse);
}

double flicker_noise_A2_per_Hz(const MosfetConfig& config, const OperatingPoint& point, double frequency_Hz) {
  return flicker_at_1Hz(config, point) / frequency_Hz;
}

double corner_frequency_Hz(const MosfetConfig& config, const Mosfet& transistor, const OperatingPoint& point) {
  return flicker_at_1Hz(config, point) / thermal_noise_A2_per_Hz(transistor, point, config.card.white_excess);
}

double integrated_noise_A(const MosfetConfig& config, const Mosfet& transistor, const OperatingPoint& point,
                          double low_Hz, double high_Hz) {
  TELLEGEN_ASSERT(low_Hz > 0 && high_Hz > low_Hz);
  const double white = thermal_noise_A2_per_Hz(transistor, point, config.card.white_excess) * (high_Hz - low_Hz);
  return std::sqrt(white + flicker_at_1Hz(config, point) * std::log(high_Hz / low_Hz));
}

double white_noise_in_window_A(double density_A2_per_Hz, double window_s) {
  return std::sqrt(density_A2_per_Hz / (2 * window_s));
}

double partition_noise_A2_per_Hz(double i1_A, double i2_A) {
  return 2 * elementary_charge_C * i1_A * i2_A / (i1_A + i2_A);
}

}  // namespace tellegen::devices
