#pragma once
// Input voltages in time: constant between steps. Pulse widths and bits are such waveforms.

#include <cstdint>
#include <span>
#include <vector>

namespace tellegen::circuits {

/// From `time_s` on, row `row` is driven by `voltage_V`. Before its first step a row is at 0 V.
struct VoltageStep {
  double time_s = 0;
  std::int64_t row = 0;
  double voltage_V = 0;
};

/// Throws InputError for widths that are not one per amplitude, and for one that is negative or not finite; names the
/// row.
void check_pulse_widths(std::span<const double> amplitude_V, std::span<const double> width_s);

/// Pulse-width modulation: row i is at amplitude_V[i] from 0 s to width_s[i]. In order of time. Throws InputError as
/// check_pulse_widths does.
std::vector<VoltageStep> pulse_widths(std::span<const double> amplitude_V, std::span<const double> width_s);

/// Bits one after the other, the least significant first: in window k, from k period_s to (k + 1) period_s, row i is at
/// amplitude_V where bit k of code[i] is set, else at 0 V; after the last bit all rows are at 0 V. In order of time.
/// Throws InputError for a code outside 0 .. 2^bits - 1 (names the row), bits outside 1 .. 32, a period that is not
/// positive.
std::vector<VoltageStep> bit_serial(std::span<const std::int64_t> code, int bits, double amplitude_V, double period_s);

/// sum_k 2^k charges[k], [columns]: what a digital shift-and-add makes of the windows of bit_serial. `charges`
/// [bits][columns].
std::vector<double> shift_and_add(std::span<const double> charges, int bits);

}  // namespace tellegen::circuits
