#pragma once
// Figures of a converter's static transfer: differential and integral non-linearity, effective bits. And the levels of
// DACs whose units do not match.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/adc_circuit.h"

namespace tellegen::circuits {

/// In steps of the line through the first and the last level.
struct Linearity {
  std::vector<double> dnl;                       ///< [levels - 1]: step over its mean, less 1
  std::vector<double> inl;                       ///< [levels]: distance from the line
  double dnl_max = 0, inl_max = 0, inl_rms = 0;  ///< magnitudes
};
/// Of DAC levels or of an ADC's thresholds, at least two of them, in order of code.
Linearity linearity(std::span<const double> levels);

/// Inputs from which on each code 1 .. 2^bits - 1 or a higher one is given, without noise: ascending, found to 2^-40 of the
/// range. For circuits whose code does not fall where the input grows.
std::vector<double> thresholds(const AdcCircuit& circuit, int bits);

/// Effective bits of a full-scale sine over `range` with rounding to `bits`, rms noise and rms INL (in steps).
double effective_bits(double range, int bits, double noise_rms, double inl_rms_steps);
/// Least sampling capacitance whose thermal noise is that of rounding: 12 k T 4^bits / range^2.
double sampling_capacitance_F(int bits, double range_V, double temperature_K);

/// What bit b (least significant first) adds to the output of a DAC over its nominal full scale, units drawn with relative
/// deviation `mismatch`. capacitive: binary capacitors and a termination; c2c, r2r: ladder, its inner nodes loaded by
/// `parasitic` units to ground. Draws: elements first .. first + 3 bits of `stream`.
std::vector<double> dac_bit_weights(const std::string& kind, int bits, double mismatch, double parasitic,
                                    const Stream& stream, std::uint64_t first);
/// Output of every code [2^bits].
std::vector<double> dac_levels(std::span<const double> bit_weights);

}  // namespace tellegen::circuits
