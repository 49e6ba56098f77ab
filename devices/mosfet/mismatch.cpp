#include "tellegen/devices/mosfet/mismatch.h"

#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::devices {

double matching_coefficient_Vm(const MosfetCard& card, double ic) {
  const double weak_Vm = card.a_vt_weak.si(), strong_Vm = card.a_vt_strong.si();
  const double share = std::pow(ekv::transconductance_efficiency(ic), 3);
  return std::sqrt(strong_Vm * strong_Vm + (weak_Vm * weak_Vm - strong_Vm * strong_Vm) * share);
}

Mismatch pair_mismatch(const MosfetConfig& config, double ic) {
  const double side_m = std::sqrt((config.width * config.length).si());
  return {matching_coefficient_Vm(config.card, ic) / side_m, config.card.a_beta.si() / side_m};
}

double pair_offset_V(const Mismatch& mismatch, double slope, double thermal_V, double ic) {
  const double volts_per_share = slope * thermal_V / ekv::transconductance_efficiency(ic);
  return std::hypot(mismatch.threshold_V, volts_per_share * mismatch.beta);
}

double mirror_error(const Mismatch& mismatch, double slope, double thermal_V, double ic) {
  const double share_per_volt = ekv::transconductance_efficiency(ic) / (slope * thermal_V);
  return std::hypot(share_per_volt * mismatch.threshold_V, mismatch.beta);
}

void sample_mismatch(const Mismatch& mismatch, const Stream& threshold_stream, const Stream& beta_stream,
                     std::uint64_t first, std::span<float> threshold_V, std::span<float> beta_error) {
  TELLEGEN_ASSERT(threshold_V.size() == beta_error.size());
  const auto of_one = [](double of_pair) { return static_cast<float>(of_pair / std::numbers::sqrt2); };
  threshold_stream.normals(first, threshold_V);
  for (float& shift_V : threshold_V) shift_V *= of_one(mismatch.threshold_V);
  beta_stream.normals(first, beta_error);
  for (float& error : beta_error) error *= of_one(mismatch.beta);
}

}  // namespace tellegen::devices
