#pragma once
// What happened while inferring, counted where it happened. Prices come last.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tellegen::sim {

/// Counts of circuits between converters.
struct UnitEvents {
  std::int64_t drives = 0;       ///< DAC
  std::int64_t evaluations = 0;  ///< of activations: values; of softmaxes: rows
  std::int64_t conversions = 0;  ///< ADC
  std::int64_t clipped = 0;      ///< of them outside the range
  UnitEvents& operator+=(const UnitEvents& other);
};

/// Counts of one matrix layer and of the digital operations that follow it. Sums over images; exact integers where they
/// are counts.
struct LayerEvents {
  std::int64_t images = 0;
  std::int64_t products = 0;     ///< matrix-vector products (all tiles of the layer together count one)
  std::int64_t dac_drives = 0;   ///< rows driven, per tile and input slice
  std::int64_t gates = 0;        ///< evaluations of front-ends
  std::int64_t amplified = 0;    ///< line values through amplifiers instead of ADCs
  std::int64_t conversions = 0;  ///< ADC
  std::int64_t clipped = 0;      ///< of them outside the range
  std::int64_t ramp_steps = 0;   ///< of converters that compute an activation along a ramp
  std::int64_t shift_adds = 0;   ///< merging slices, row blocks, references and the digital bias
  std::int64_t scalings = 0;     ///< one multiplication per output: column scale, gain, requantisation
  std::int64_t not_finite = 0;   ///< outputs, bias included, that are infinite or not a number
  std::int64_t cell_writes = 0;  ///< cells of rewritten tiles, each time that they are written
  std::int64_t buffer_read_bits = 0;
  std::int64_t buffer_write_bits = 0;
  double drive_V2 = 0;                          ///< sum over driven rows of V^2 [V^2]: row line energy is C times it
  double cell_energy_J = 0;                     ///< sum of G V^2 t; with wires what cells and wires take together
  std::map<std::string, std::int64_t> digital;  ///< unit name -> operations (elements)
  std::map<std::size_t, UnitEvents> units;      ///< number in Plan::analog_units, of those that follow the layer

  LayerEvents& operator+=(const LayerEvents& other);
};

/// Signal quality of one layer's output against the float network's own output of that layer, on the SNR samples.
struct LayerSignal {
  double signal = 0;  ///< sum of squares of the float output
  double error = 0;   ///< sum of squares of the difference
  double snr_dB() const;
};

}  // namespace tellegen::sim
