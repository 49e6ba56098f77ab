#pragma once
// How cells of one array differ in switching speed, and how one cell differs from pulse to pulse.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"

namespace tellegen::devices {

/// Lognormal factors of the switching speed; 0: none.
struct PulseSpread {
  double cell = 0;   ///< standard deviation of ln(speed) between cells
  double pulse = 0;  ///< standard deviation of ln(speed) between pulses of one cell
  void settings(Settings& v);
};

/// The draws of an array of cells. A draw belongs to a cell and to the number of pulses that it has seen, so cells are
/// independent of each other and of which cells are pulsed together.
class PulseDraws {
 public:
  static constexpr int most_noise_steps = 63;  ///< noise draws of one pulse
  PulseDraws(std::size_t cells, const PulseSpread& spread, const Stream& stream);
  std::size_t size() const { return seen_.size(); }
  /// Speed of each listed cell in its coming pulse.
  void speeds(std::span<const std::uint32_t> cells, std::span<double> factor) const;
  /// `steps` standard normal draws for each listed cell in its coming pulse.
  void noise(std::span<const std::uint32_t> cells, int steps, std::span<float> draws) const;
  /// The pulses were given.
  void count(std::span<const std::uint32_t> cells);

 private:
  std::uint64_t element(std::uint32_t cell) const;
  PulseSpread spread_;
  Stream stream_;
  std::vector<double> speed_;  ///< one per cell; empty: 1
  std::vector<std::uint32_t> seen_;
};

}  // namespace tellegen::devices
