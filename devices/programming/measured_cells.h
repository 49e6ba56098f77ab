#pragma once
// Cells that follow measured pulse-response curves (long-term potentiation and depression, LTP and LTD).

#include <filesystem>
#include <vector>

#include "tellegen/devices/programming/pulsed_cells.h"

namespace tellegen::devices {

/// Mean conductance after 0, 1, 2, ... equal pulses.
struct PulseResponse {
  std::vector<double> raising_S;   ///< strictly rising, at least two values above zero
  std::vector<double> lowering_S;  ///< strictly falling
  double raise_V = 1;              ///< voltage of the measured raising pulse, with its sign
  double lower_V = -1;             ///< of the lowering pulse
  double width_s = 1e-6;           ///< of both
};

/// Reads a CSV file with the columns pulse, raising_S, lowering_S, one line for each number of pulses from 0. Lines
/// that begin with # are remarks. Throws InputError with file and line.
void read_pulse_curves(const std::filesystem::path& file, PulseResponse& response);

/// A pulse moves a cell along the curve of its polarity, from where it stands, by |v / measured v| * width / measured
/// width * speed pulses, linearly interpolated; a conductance outside the curve counts as its end. Energy is
/// v^2 width (g before + g after) / 2.
class MeasuredCells final : public PulsedCells {
 public:
  MeasuredCells(PulseResponse response, double read_V, std::vector<double> g_S, const PulseSpread& spread,
                const Stream& stream);
  std::size_t size() const override { return g_S_.size(); }
  void conductances(std::span<const std::uint32_t> cells, std::span<double> g_S) const override;
  void apply(const PulseBatch& pulses, std::span<double> energy_J) override;
  int raising_sign() const override { return response_.raise_V > 0 ? 1 : -1; }
  double read_V() const override { return read_V_; }
  std::unique_ptr<PulsedCells> nominal(std::size_t size) const override;

 private:
  PulseResponse response_;
  double read_V_;
  std::vector<double> g_S_;
  Stream stream_;
  PulseDraws draws_;
};

}  // namespace tellegen::devices
