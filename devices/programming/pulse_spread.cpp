#include "tellegen/devices/programming/pulse_spread.h"

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

// Elements 64 (cell + 1) 2^20 + 64 pulse + k of the stream: k = 0 is the speed, k > 0 the noise. Speeds of cells are
// the elements below 2^32.
constexpr std::uint64_t draws_per_pulse = 64;
constexpr std::uint64_t pulses_per_cell = std::uint64_t{1} << 20;
constexpr std::uint64_t first_pulse_draw = std::uint64_t{1} << 32;

}  // namespace

void PulseSpread::settings(Settings& v) {
  v("cell", cell, "standard deviation of ln(switching speed) between cells", at_least(0));
  v("pulse", pulse, "standard deviation of ln(switching speed) between pulses of one cell", at_least(0));
}

PulseDraws::PulseDraws(std::size_t cells, const PulseSpread& spread, const Stream& stream)
    : spread_(spread), stream_(stream), seen_(cells, 0) {
  if (spread.cell == 0) return;
  std::vector<float> normal(cells);
  stream_.normals(0, normal);
  for (const float z : normal) speed_.push_back(std::exp(spread.cell * static_cast<double>(z)));
}

std::uint64_t PulseDraws::element(std::uint32_t cell) const {
  return first_pulse_draw + (cell * pulses_per_cell + seen_[cell] % pulses_per_cell) * draws_per_pulse;
}

void PulseDraws::speeds(std::span<const std::uint32_t> cells, std::span<double> factor) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    factor[i] = speed_.empty() ? 1.0 : speed_[cells[i]];
    if (spread_.pulse == 0) continue;
    float z = 0;
    stream_.normals(element(cells[i]), std::span(&z, 1));
    factor[i] *= std::exp(spread_.pulse * static_cast<double>(z));
  }
}

void PulseDraws::noise(std::span<const std::uint32_t> cells, int steps, std::span<float> draws) const {
  TELLEGEN_ASSERT(steps <= most_noise_steps);
  const auto n = static_cast<std::size_t>(steps);
  for (std::size_t i = 0; i < cells.size(); ++i) stream_.normals(element(cells[i]) + 1, draws.subspan(i * n, n));
}

void PulseDraws::count(std::span<const std::uint32_t> cells) {
  for (const std::uint32_t cell : cells) ++seen_[cell];
}

}  // namespace tellegen::devices
