#include "tellegen/circuits/front_end/gate_mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/mosfet/mosfet.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

/// Draws of a kind for all units of an array stand together; kinds are this far apart.
constexpr std::uint64_t kind_stride = std::uint64_t{1} << 40;

/// Relative error of a copy of i_A by two such transistors.
double copy_error(const devices::MosfetConfig& config, double i_A, double temperature_K) {
  const double ic = i_A / devices::Mosfet(config, Temperature::si(temperature_K)).specific_current_A();
  return devices::mirror_error(devices::pair_mismatch(config, ic), config.card.slope,
                               devices::thermal_voltage_V(temperature_K), ic);
}

/// Of the currents between tail and output: a stacked pair takes its tail from the pair below, nothing is copied there;
/// the output is copied at half the tail.
double gain_error(const ThresholdDesign& design, const DesignedPair& pair, double temperature_K) {
  const GateSettings& s = design.settings;
  const double tail_A = design.current_per_y_A * pair.tail_at_threshold;
  const double tail = pair.net.stacked_on >= 0 ? 0 : copy_error(s.tail_transistor(), tail_A, temperature_K);
  const bool mirrored = s.output == GateOutput::mirror && pair.net.weight != 0;
  return std::hypot(tail, mirrored ? copy_error(s.mirror_transistor(), tail_A / 2, temperature_K) : 0);
}

/// Of the current past the pairs, at |x| = 1.
double base_error(const ThresholdDesign& design, double temperature_K) {
  const GateNetwork& network = design.network;
  const double most = std::abs(network.base_constant) + std::abs(network.base_slope);
  return most > 0 ? copy_error(design.settings.mirror_transistor(), design.current_per_y_A * most, temperature_K) : 0;
}

/// n kT/q / G: how many volts at the gate undo a relative error of beta.
double volts_per_beta(const ThresholdDesign& design, double ic, double thermal_V) {
  return design.slope * thermal_V / ekv::transconductance_efficiency(ic);
}

PairDeviation deviation_of(const ThresholdDesign& design, const DesignedPair& pair) {
  const GateSettings& s = design.settings;
  const double ic = design.ic_at_threshold(pair);
  const bool compares = s.compares;
  const devices::MosfetConfig transistor = compares ? s.comparator_transistor() : s.transistor;
  const double input_ic =
      compares ? s.comparator.bias.typical.si() /
                     (2 * devices::Mosfet(transistor, Temperature::si(design.temperature_K)).specific_current_A())
               : ic;
  const devices::Mismatch mismatch = devices::pair_mismatch(transistor, input_ic);
  const double trimmed_V = devices::thermal_voltage_V(s.design_temperature.si());
  PairDeviation d;
  d.threshold_V = mismatch.threshold_V;
  d.beta_V = volts_per_beta(design, input_ic, design.thermal_V) * mismatch.beta;
  d.beta_V_when_trimmed = volts_per_beta(design, input_ic, trimmed_V) * mismatch.beta;
  d.offset_V = std::hypot(d.threshold_V, d.beta_V);
  d.theta = d.offset_V / (s.attenuation * pair.volts_per_x);
  d.sharpness = s.compares ? 0 : s.scale_mismatch;
  d.gain = gain_error(design, pair, design.temperature_K);
  d.gain_when_trimmed = gain_error(design, pair, s.design_temperature.si());
  if (s.trim) {
    const double volts = std::hypot(d.threshold_V, d.beta_V_when_trimmed) * s.trim->range_sigmas;
    d.theta_range = (s.trim->range ? s.trim->range->si() : volts);
    d.gain_range = s.trim->range_sigmas * d.gain_when_trimmed;
  }
  return d;
}

}  // namespace

double TrimDac::step() const { return 2 * range / (std::ldexp(1.0, bits) - 1); }

double TrimDac::correction(double error) const {
  if (!(range > 0)) return 0;
  const double code = std::nearbyint((error + range) / step());
  return std::clamp(code, 0.0, std::ldexp(1.0, bits) - 1) * step() - range;
}

bool TrimDac::clips(double error) const { return std::abs(error) > range + step() / 2; }

GateMismatch::GateMismatch(const ThresholdDesign& design)
    : has_base_(design.network.base_slope != 0 || design.network.base_constant != 0), trim_(design.settings.trim) {
  for (const DesignedPair& pair : design.pairs) {
    pairs_.push_back(deviation_of(design, pair));
    volts_per_x_.push_back(design.settings.attenuation * pair.volts_per_x);
    const std::string name = fmt::format("pair {}: ", pairs_.size());
    planes_.push_back({name + "threshold", "x", pairs_.back().theta});
    planes_.push_back({name + "sharpness", "", pairs_.back().sharpness});
    planes_.push_back({name + "gain", "", pairs_.back().gain});
  }
  if (!has_base_) return;
  base_.gain = base_error(design, design.temperature_K);
  base_.gain_when_trimmed = base_error(design, design.settings.design_temperature.si());
  if (trim_) base_.gain_range = trim_->range_sigmas * base_.gain_when_trimmed;
  planes_.push_back({"base: gain", "", base_.gain});
}

void GateMismatch::sample_pair(std::size_t k, const Stream& stream, std::uint64_t first_unit,
                               UnitErrors& errors) const {
  const PairDeviation& d = pairs_[k];
  const std::uint64_t first = first_unit + 4 * k * kind_stride;
  const auto theta = errors.plane(3 * k), sharpness = errors.plane(3 * k + 1), gain = errors.plane(3 * k + 2);
  // The draw of beta rests in the sharpness plane until its own draws come.
  stream.normals(first, theta);
  stream.normals(first + kind_stride, sharpness);
  const TrimDac offset_dac{trim_ ? trim_->bits : 1, trim_ ? d.theta_range : 0};
  for (std::size_t u = 0; u < theta.size(); ++u) {
    const double offset_V = d.threshold_V * theta[u] + d.beta_V * sharpness[u];
    const double trimmed_V = offset_dac.correction(d.threshold_V * theta[u] + d.beta_V_when_trimmed * sharpness[u]);
    theta[u] = static_cast<float>((offset_V - trimmed_V) / volts_per_x_[k]);
  }
  stream.normals(first + 2 * kind_stride, sharpness);
  for (float& error : sharpness) error *= static_cast<float>(d.sharpness);
  stream.normals(first + 3 * kind_stride, gain);
  scale_gains(d, gain);
}

void GateMismatch::scale_gains(const PairDeviation& d, std::span<float> draws) const {
  const bool trims = trim_ && trim_->gain_bits > 0;
  const TrimDac dac{trims ? trim_->gain_bits : 1, trims ? d.gain_range : 0};
  for (float& draw : draws) draw = static_cast<float>(d.gain * draw - dac.correction(d.gain_when_trimmed * draw));
}

UnitErrors GateMismatch::sample(const Stream& stream, std::uint64_t first_unit, std::int64_t units) const {
  UnitErrors errors;
  errors.units = units;
  errors.values.resize(planes_.size() * static_cast<std::size_t>(units));
  for (std::size_t k = 0; k < pairs_.size(); ++k) sample_pair(k, stream, first_unit, errors);
  if (has_base_) {
    const auto gain = errors.plane(3 * pairs_.size());
    stream.normals(first_unit + 4 * pairs_.size() * kind_stride, gain);
    scale_gains(base_, gain);
  }
  return errors;
}

}  // namespace tellegen::circuits
