#pragma once
// How converters of each kind find a code: decisions of comparators against levels that are not quite right.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/adc_errors.h"

namespace tellegen::circuits {

/// One converter of `bits` bits. Without errors code(q) is the whole part of q, saturated to 0 .. 2^bits - 1.
class AdcCircuit {
 public:
  virtual ~AdcCircuit() = default;
  /// Code of an input of `q` ideal steps above the bottom of code 0. `normals`: draws() standard normals, or none for
  /// a conversion without noise.
  virtual std::int64_t code(double q, std::span<const float> normals) const = 0;
  /// Normals that one conversion takes.
  virtual int draws() const = 0;
};

/// Successive approximation with a binary-weighted capacitive DAC: the most significant bit first, each kept where the
/// input is not below the DAC's level.
class SarCircuit : public AdcCircuit {
 public:
  /// Capacitors in nominal units, most significant first, the termination last (nominally 2^(n-1) .. 2, 1, 1).
  SarCircuit(std::vector<double> capacitors, double noise_steps);
  std::int64_t code(double q, std::span<const float> normals) const override;
  int draws() const override { return static_cast<int>(weights_.size()); }
  /// DAC level of every code [2^bits], in steps.
  std::vector<double> levels() const;

 private:
  std::vector<double> weights_;  ///< of the bits, most significant first, in steps
  double noise_;
};

/// As many comparators as thresholds, or one that meets them in turn: the code is how many lie at or below the input.
class ThresholdCircuit : public AdcCircuit {
 public:
  enum class Noise { per_threshold, per_conversion };
  /// `delay` is added to the count (a ramp that runs on while the comparator decides).
  ThresholdCircuit(std::vector<double> thresholds, Noise where, double noise_steps, double delay_steps = 0);
  std::int64_t code(double q, std::span<const float> normals) const override;
  int draws() const override;

 private:
  std::vector<double> thresholds_;  ///< ascending
  Noise where_;
  double noise_, delay_;
};

/// Stages of 1.5 bits (three decisions, one bit of redundancy) and a flash of two bits at the end. The residue of a stage
/// is ratio v - d reference, v and reference over half the range.
class PipelineCircuit : public AdcCircuit {
 public:
  struct Stage {
    double ratio = 2, reference = 1;  ///< nominally 2 and 1
    double low = -0.25, high = 0.25;  ///< thresholds of its two comparators
  };
  /// bits - 2 stages; `last`: the three thresholds of the flash, nominally -0.5, 0, 0.5 (bits 1: only the middle one).
  PipelineCircuit(int bits, std::vector<Stage> stages, std::vector<double> last, double noise_steps);
  std::int64_t code(double q, std::span<const float> normals) const override;
  int draws() const override { return 1; }

 private:
  int bits_;
  std::vector<Stage> stages_;
  std::vector<double> last_;
  double noise_;
};

/// An oscillator that runs at a frequency proportional to the input, and a counter. Its jitter grows with the square root
/// of the count.
class CcoCircuit : public AdcCircuit {
 public:
  CcoCircuit(int bits, double noise_steps) : bits_(bits), noise_(noise_steps) {}
  std::int64_t code(double q, std::span<const float> normals) const override;
  int draws() const override { return 1; }

 private:
  int bits_;
  double noise_;
};

/// Converter number `converter` of those that share `mismatch`: sar, flash, ramp (one ramp for all), pipeline, cyclic (one
/// stage for all bits), cco, time_based, sense_amplifier. Offsets of converters with a single comparator, gain and
/// curvature are not in it: see AdcBank.
std::unique_ptr<const AdcCircuit> make_adc_circuit(const std::string& kind, int bits, const AdcErrors& errors,
                                                   const Stream& mismatch, std::uint64_t converter);

/// Whether the offset of `kind` is that of many comparators, so that it is in the circuit.
bool has_many_comparators(const std::string& kind);

/// Standard normals first .. first + count - 1 that belong to one converter.
std::vector<float> converter_draws(const Stream& mismatch, std::uint64_t converter, std::uint64_t first,
                                   std::size_t count);

}  // namespace tellegen::circuits
