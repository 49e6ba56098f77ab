#include "tellegen/circuits/converter/adc_circuit.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// Room for the draws of one converter; its first ones are offset and gain (AdcBank).
constexpr std::uint64_t kDrawsPerConverter = std::uint64_t{1} << 20;
constexpr std::uint64_t kFirstCircuitDraw = 16;
/// What all converters of an array share.
constexpr std::uint64_t kShared = std::uint64_t{1} << 40;

std::int64_t saturated(double code, int bits) {
  const double last = std::ldexp(1.0, bits) - 1;
  return static_cast<std::int64_t>(std::clamp(code, 0.0, last));
}

std::vector<double> sar_capacitors(int bits, double mismatch, std::span<const float> draws) {
  std::vector<double> capacitors;
  for (int b = bits - 1; b >= -1; --b) {  // -1: the termination, one unit
    const double units = std::ldexp(1.0, std::max(b, 0));
    capacitors.push_back(units + std::sqrt(units) * mismatch * static_cast<double>(draws[capacitors.size()]));
  }
  return capacitors;
}

/// 2^bits steps with random lengths, summed up; `tied`: both ends stand at references.
std::vector<double> summed_steps(int bits, double mismatch, std::span<const float> draws, bool tied) {
  const std::size_t count = std::size_t{1} << bits;
  std::vector<double> ends(count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) ends[i] = sum += 1 + mismatch * static_cast<double>(draws[i]);
  if (tied) {
    for (double& end : ends) end *= static_cast<double>(count) / sum;
  }
  ends.pop_back();  // the upper end of the last code is no threshold
  return ends;
}

/// One converter of 1.5-bit stages; `shared_stage`: the same stage does all bits.
std::unique_ptr<const AdcCircuit> staged(int bits, const AdcErrors& errors, const Stream& stream,
                                         std::uint64_t converter, bool shared_stage) {
  const std::size_t count = static_cast<std::size_t>(std::max(bits - 2, 0));
  const std::vector<float> draws = converter_draws(stream, converter, kFirstCircuitDraw, 3 * count + 3);
  const double offset = errors.offset * std::ldexp(2.0, -bits);  // steps to half ranges
  std::vector<PipelineCircuit::Stage> stages(count);
  for (std::size_t s = 0; s < count; ++s) {
    const float* own = draws.data() + (shared_stage ? 3 : 3 * s + 3);
    // A ratio of two capacitors; the amplifier divides by 1 + (1 + ratio of capacitors) / gain.
    const double capacitors = 1 + std::sqrt(2.0) * errors.mismatch * static_cast<double>(own[0]);
    const double loop = errors.amplifier_gain ? 1 + (1 + capacitors) / *errors.amplifier_gain : 1;
    stages[s].ratio = (1 + capacitors) / loop;
    stages[s].reference = capacitors / loop;
    stages[s].low += offset * static_cast<double>(own[1]);
    stages[s].high += offset * static_cast<double>(own[2]);
  }
  std::vector<double> last{-0.5, 0, 0.5};
  for (std::size_t i = 0; i < 3; ++i) last[i] += offset * static_cast<double>(draws[i]);
  return std::make_unique<PipelineCircuit>(bits, stages, last, errors.noise);
}

}  // namespace

std::vector<float> converter_draws(const Stream& mismatch, std::uint64_t converter, std::uint64_t first,
                                   std::size_t count) {
  TELLEGEN_ASSERT(first + count <= kDrawsPerConverter);
  std::vector<float> draws(count);
  mismatch.normals(converter * kDrawsPerConverter + first, draws);
  return draws;
}

SarCircuit::SarCircuit(std::vector<double> capacitors, double noise_steps) : noise_(noise_steps) {
  TELLEGEN_ASSERT(capacitors.size() >= 2);
  double total = 0;
  for (const double c : capacitors) total += c;
  const double steps = std::ldexp(1.0, static_cast<int>(capacitors.size()) - 1);
  for (std::size_t i = 0; i + 1 < capacitors.size(); ++i) weights_.push_back(capacitors[i] * steps / total);
}

std::int64_t SarCircuit::code(double q, std::span<const float> normals) const {
  double level = 0;
  std::int64_t code = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double seen = normals.empty() ? q : q + noise_ * static_cast<double>(normals[i]);
    const bool keep = seen >= level + weights_[i];
    if (keep) level += weights_[i];
    code = 2 * code + (keep ? 1 : 0);
  }
  return code;
}

std::vector<double> SarCircuit::levels() const {
  std::vector<double> levels{0};
  for (const double weight : weights_) {  // each less significant bit doubles the list
    std::vector<double> longer;
    for (const double level : levels) {
      longer.push_back(level);
      longer.push_back(level + weight);
    }
    levels = std::move(longer);
  }
  return levels;
}

ThresholdCircuit::ThresholdCircuit(std::vector<double> thresholds, Noise where, double noise_steps, double delay_steps)
    : thresholds_(std::move(thresholds)), where_(where), noise_(noise_steps), delay_(delay_steps) {
  std::ranges::sort(thresholds_);
}

int ThresholdCircuit::draws() const {
  return where_ == Noise::per_conversion ? 1 : static_cast<int>(thresholds_.size());
}

std::int64_t ThresholdCircuit::code(double q, std::span<const float> normals) const {
  const auto most = static_cast<std::int64_t>(thresholds_.size());
  if (!normals.empty() && where_ == Noise::per_threshold) {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < thresholds_.size(); ++i)
      count += thresholds_[i] <= q + noise_ * static_cast<double>(normals[i]) ? 1 : 0;
    return count;
  }
  const double seen = normals.empty() ? q : q + noise_ * static_cast<double>(normals[0]);
  const auto met = std::ranges::upper_bound(thresholds_, seen) - thresholds_.begin();
  return std::min(most, met + static_cast<std::int64_t>(std::floor(delay_)));
}

PipelineCircuit::PipelineCircuit(int bits, std::vector<Stage> stages, std::vector<double> last, double noise_steps)
    : bits_(bits), stages_(std::move(stages)), last_(std::move(last)), noise_(noise_steps) {
  TELLEGEN_ASSERT(stages_.size() == static_cast<std::size_t>(std::max(bits - 2, 0)) && last_.size() == 3);
}

std::int64_t PipelineCircuit::code(double q, std::span<const float> normals) const {
  const double seen = normals.empty() ? q : q + noise_ * static_cast<double>(normals[0]);
  double v = std::ldexp(seen, 1 - bits_) - 1;
  if (bits_ == 1) return v >= last_[1] ? 1 : 0;
  double code = std::ldexp(1.0, bits_ - 1), weight = std::ldexp(1.0, bits_ - 2);
  for (const Stage& stage : stages_) {
    const double d = v >= stage.high ? 1 : v < stage.low ? -1 : 0;
    code += d * weight;
    weight /= 2;
    v = stage.ratio * v - d * stage.reference;
  }
  const auto above = std::ranges::count_if(last_, [&](double threshold) { return v >= threshold; });
  return saturated(code + static_cast<double>(above) - 2, bits_);
}

std::int64_t CcoCircuit::code(double q, std::span<const float> normals) const {
  const double run = std::max(q, 0.0);
  const double jitter =
      normals.empty() ? 0 : noise_ * std::sqrt(std::ldexp(run, -bits_)) * static_cast<double>(normals[0]);
  return saturated(std::floor(run + jitter), bits_);
}

bool has_many_comparators(const std::string& kind) {
  return kind == "flash" || kind == "sense_amplifier" || kind == "pipeline" || kind == "cyclic";
}

std::unique_ptr<const AdcCircuit> make_adc_circuit(const std::string& kind, int bits, const AdcErrors& errors,
                                                   const Stream& mismatch, std::uint64_t converter) {
  TELLEGEN_ASSERT(bits >= 1 && bits <= 16);
  const std::size_t codes = std::size_t{1} << bits;
  const auto draws = [&](std::uint64_t whose, std::size_t count) {
    return converter_draws(mismatch, whose, kFirstCircuitDraw, count);
  };
  using Noise = ThresholdCircuit::Noise;
  if (kind == "sar") {
    const std::vector<float> own = draws(converter, static_cast<std::size_t>(bits) + 1);
    return std::make_unique<SarCircuit>(sar_capacitors(bits, errors.mismatch, own), errors.noise);
  }
  if (kind == "flash" || kind == "sense_amplifier") {
    const std::vector<float> own = draws(converter, 2 * codes);
    std::vector<double> thresholds = summed_steps(bits, errors.mismatch, own, true);
    for (std::size_t i = 0; i < thresholds.size(); ++i)
      thresholds[i] += errors.offset * static_cast<double>(own[codes + i]);
    return std::make_unique<ThresholdCircuit>(thresholds, Noise::per_threshold, errors.noise);
  }
  if (kind == "ramp") {
    const std::vector<double> ramp = summed_steps(bits, errors.mismatch, draws(kShared, codes), false);
    return std::make_unique<ThresholdCircuit>(ramp, Noise::per_conversion, errors.noise, errors.delay);
  }
  if (kind == "time_based") {
    const std::vector<double> line = summed_steps(bits, errors.mismatch, draws(converter, codes), false);
    return std::make_unique<ThresholdCircuit>(line, Noise::per_conversion, errors.noise);
  }
  if (kind == "pipeline" || kind == "cyclic") return staged(bits, errors, mismatch, converter, kind == "cyclic");
  TELLEGEN_ASSERT(kind == "cco");
  return std::make_unique<CcoCircuit>(bits, errors.noise);
}

}  // namespace tellegen::circuits
