#pragma once
// DAC behaviour: real inputs to integer codes to one or several drive patterns (streaming).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/circuits/converter/quantiser.h"

namespace tellegen::circuits {

enum class Streaming { full, bit_serial };
std::span<const std::pair<Streaming, const char*>> enum_names(Streaming);

/// Section `chip.dac.nonlinearity`: the transfer curve that all DACs have in common. All 0: exact.
struct DacNonlinearity {
  double gain = 0;               ///< relative
  double offset = 0;             ///< over the full scale; of code 0 as well
  double second = 0, third = 0;  ///< u is driven as u + second u (1 - u) + third u (1 - u) (1 - 2 u)
  double parasitic = 0;          ///< kinds c2c, r2r: load of each node of the ladder to ground, in units
  Time edge_loss;                ///< kind pwm: what each pulse is shorter than it should be
  bool any() const;
  void settings(Settings& v);
  /// Drive of u in [0, 1]; `full_drive_s`: length of a full pulse.
  double at(double u, double full_drive_s) const;
};

/// Section `chip.dac.mismatch`: how the DACs of the rows differ, as standard deviations. All 0: all alike.
struct DacMismatch {
  double element = 0;  ///< relative, of one unit: kinds capacitive, c2c (capacitor), r2r (resistor)
  double gain = 0;     ///< relative, of a row's full scale
  double offset = 0;   ///< over the full scale, of every drive of a row
  Time edge;           ///< kind pwm: of what the pulses of a row are longer or shorter
  bool any() const;
  void settings(Settings& v, const std::string& kind);
};

struct DacConfig {
  std::string kind = "capacitive";  ///< capacitive | c2c | r2r | pwm | one_bit: picks the cost law
  Resolution bits;
  Streaming streaming = Streaming::full;
  int bits_per_slice = 1;             ///< of bit_serial: bits driven at once
  Voltage v_read = Voltage::si(0.2);  ///< row voltage of a full-scale drive
  Time pulse = Time::si(10e-9);       ///< how long the row is driven per slice
  Time pwm_step = Time::si(1e-9);     ///< of kind pwm: one code (HERMES chip, Le Gallo et al. 2023: 1 ns)
  DacNonlinearity nonlinearity;
  DacMismatch mismatch;
  /// How long a full-scale drive of one slice lasts.
  Time full_drive() const;
  /// A pulse of full height whose width carries the value; else a voltage that carries it.
  bool by_width() const { return kind == "pwm"; }
  void settings(Settings& v);
};

/// Inputs x in [-full_scale, full_scale] (signed) or [0, full_scale].
struct Dac {
  DacConfig config;
  double full_scale = 1;
  bool is_signed = false;

  int slices() const;  ///< read passes per product
  /// Largest magnitude of a code; signed codes use one bit for the sign. Throws RefusedError where that leaves no bit.
  std::int64_t max_code() const;
  /// Value of one unit of drive in slice s: x = sum_s slice_weight(s) * drive_s. Ideal: one slice, drive = x /
  /// full_scale.
  double slice_weight(int slice) const;
  /// Bits of the magnitude that one slice drives. Not of an ideal DAC.
  int digit_bits() const;
};

/// values[count] (in place) -> quantised x / full_scale-scaled codes: values become integer codes (ideal: x /
/// full_scale). Returns how many were clipped.
template <class T>
std::int64_t to_codes(const Dac& dac, std::span<T> values);

/// Drive pattern u in [-1, 1] of one slice from codes (ideal: a copy). bit_serial: the slice's digit of the magnitude,
/// least significant first, with the sign of the code, over the largest digit. Then the transfer curve, on the magnitude.
template <class T>
void slice_drive(const Dac& dac, std::span<const T> codes, int slice, std::span<T> drive);

}  // namespace tellegen::circuits
