#include "tellegen/devices/mosfet/mosfet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {
namespace {

constexpr double reference_K = 300;

/// 1 / (kT/q), slope, threshold, specific current and sign of the channel in float.
struct KernelCard {
  float per_thermal, per_slope, threshold_V, specific_A, sign;
};

struct DrainCurrents {
  TELLEGEN_KERNEL static void run(const float* v_gate_V, const float* v_source_V, const float* v_drain_V,
                                  const float* shift_V, std::size_t count, KernelCard card, float* i_A) {
    for (std::size_t k = 0; k < count; ++k) {
      const float pinch_V =
          (card.sign * v_gate_V[k] - card.threshold_V - (shift_V != nullptr ? shift_V[k] : 0.0f)) * card.per_slope;
      const float q_forward = ekv::charge_of_voltage((pinch_V - card.sign * v_source_V[k]) * card.per_thermal);
      const float q_reverse = ekv::charge_of_voltage((pinch_V - card.sign * v_drain_V[k]) * card.per_thermal);
      i_A[k] = card.sign * card.specific_A * ekv::current_between(q_forward, q_reverse);
    }
  }
};

}  // namespace

Mosfet::Mosfet(double slope, double specific_current_A, double threshold_V, Temperature temperature, Channel channel)
    : slope_(slope),
      specific_current_A_(specific_current_A),
      threshold_V_(threshold_V),
      temperature_K_(temperature.si()),
      thermal_V_(devices::thermal_voltage_V(temperature.si())),
      sign_(sign_of(channel)) {}

Mosfet::Mosfet(const MosfetConfig& config, Temperature temperature)
    : Mosfet(config.card.slope,
             config.card.specific_current.si() * (config.width / config.length) *
                 std::pow(temperature.si() / reference_K, config.card.current_exponent),
             config.card.threshold.si() - config.card.threshold_drift.si() * (temperature.si() - reference_K),
             temperature, config.channel) {}

OperatingPoint Mosfet::operating_point(double v_gate_V, double v_source_V, double v_drain_V) const {
  const double pinch_V = (sign_ * v_gate_V - threshold_V_) / slope_;
  OperatingPoint point;
  point.q_forward = ekv::charge_of_voltage((pinch_V - sign_ * v_source_V) / thermal_V_);
  point.q_reverse = ekv::charge_of_voltage((pinch_V - sign_ * v_drain_V) / thermal_V_);
  // The sign falls out of the derivatives: both the current and the voltages change it.
  point.i_A = sign_ * specific_current_A_ * ekv::current_between(point.q_forward, point.q_reverse);
  // di/dv = q, because dq/dv = q / (2 q + 1).
  point.gms_S = specific_current_A_ / thermal_V_ * point.q_forward;
  point.gmd_S = specific_current_A_ / thermal_V_ * point.q_reverse;
  point.gm_S = (point.gms_S - point.gmd_S) / slope_;
  return point;
}

double Mosfet::current_A(double v_gate_V, double v_source_V, double v_drain_V) const {
  return operating_point(v_gate_V, v_source_V, v_drain_V).i_A;
}

double Mosfet::saturated_gate_voltage_V(double i_A, double v_source_V) const {
  const double v = ekv::voltage_of_current(sign_ * i_A / specific_current_A_);
  return sign_ * (threshold_V_ + slope_ * (sign_ * v_source_V + thermal_V_ * v));
}

double Mosfet::gate_voltage_V(double i_A, double v_source_V, double v_drain_V) const {
  if (!(sign_ * i_A > 0) || !(sign_ * v_drain_V > sign_ * v_source_V)) {
    throw InputError(fmt::format(
        "A gate voltage exists only for a current {} 0 A that flows from a drain {} its source; exchange source "
        "and drain for the other direction.",
        sign_ > 0 ? "above" : "below", sign_ > 0 ? "above" : "below"));
  }
  // ln i grows with the gate voltage and bends downwards, so Newton's steps from the saturated solution, which lies
  // below, never overshoot.
  const double goal = std::log(sign_ * i_A / specific_current_A_);
  const double across = sign_ * (v_drain_V - v_source_V) / thermal_V_;
  double v = ekv::voltage_of_current(sign_ * i_A / specific_current_A_);
  constexpr int most_steps = 200;
  for (int step = 0; step < most_steps; ++step) {
    const double q_forward = ekv::charge_of_voltage(v), q_reverse = ekv::charge_of_voltage(v - across);
    const double lacking = goal - std::log(ekv::current_between(q_forward, q_reverse));
    v += lacking * (q_forward + q_reverse + 1);
    if (std::abs(lacking) < 4e-16 * std::max(1.0, std::abs(goal))) break;
  }
  return sign_ * (threshold_V_ + slope_ * (sign_ * v_source_V + thermal_V_ * v));
}

void Mosfet::currents(std::span<const float> v_gate_V, std::span<const float> v_source_V,
                      std::span<const float> v_drain_V, std::span<const float> threshold_shift_V,
                      std::span<float> i_A) const {
  TELLEGEN_ASSERT(v_gate_V.size() == i_A.size() && v_source_V.size() == i_A.size() && v_drain_V.size() == i_A.size());
  TELLEGEN_ASSERT(threshold_shift_V.empty() || threshold_shift_V.size() == i_A.size());
  const KernelCard card{static_cast<float>(1 / thermal_V_), static_cast<float>(1 / slope_),
                        static_cast<float>(threshold_V_), static_cast<float>(specific_current_A_),
                        static_cast<float>(sign_)};
  vectorised<DrainCurrents>(v_gate_V.data(), v_source_V.data(), v_drain_V.data(),
                            threshold_shift_V.empty() ? nullptr : threshold_shift_V.data(), i_A.size(), card,
                            i_A.data());
}

}  // namespace tellegen::devices
