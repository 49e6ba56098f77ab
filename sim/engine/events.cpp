#include "tellegen/sim/engine/events.h"

#include <cmath>
#include <limits>

namespace tellegen::sim {

UnitEvents& UnitEvents::operator+=(const UnitEvents& other) {
  drives += other.drives;
  evaluations += other.evaluations;
  conversions += other.conversions;
  clipped += other.clipped;
  return *this;
}

LayerEvents& LayerEvents::operator+=(const LayerEvents& other) {
  images += other.images;
  products += other.products;
  dac_drives += other.dac_drives;
  gates += other.gates;
  amplified += other.amplified;
  conversions += other.conversions;
  clipped += other.clipped;
  ramp_steps += other.ramp_steps;
  shift_adds += other.shift_adds;
  scalings += other.scalings;
  not_finite += other.not_finite;
  cell_writes += other.cell_writes;
  buffer_read_bits += other.buffer_read_bits;
  buffer_write_bits += other.buffer_write_bits;
  drive_V2 += other.drive_V2;
  cell_energy_J += other.cell_energy_J;
  for (const auto& [unit, count] : other.digital) digital[unit] += count;
  for (const auto& [unit, counts] : other.units) units[unit] += counts;
  return *this;
}

double LayerSignal::snr_dB() const {
  if (error == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / error);
}

}  // namespace tellegen::sim
