#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/devices/programming/pulsed_cells.h"

namespace tellegen::devices {

MemristorCells::MemristorCells(std::shared_ptr<const MemristorModel> model, double read_V, std::vector<double> x,
                               const PulseSpread& spread, const Stream& stream)
    : model_(std::move(model)), read_V_(read_V), x_(std::move(x)), stream_(stream), draws_(x_.size(), spread, stream) {
  TELLEGEN_ASSERT(read_V_ != 0);
}

void MemristorCells::conductances(std::span<const std::uint32_t> cells, std::span<double> g_S) const {
  std::vector<double> x(cells.size());
  const std::vector<double> v_V(cells.size(), read_V_);
  for (std::size_t i = 0; i < cells.size(); ++i) x[i] = x_[cells[i]];
  model_->currents(x, v_V, g_S);
  for (double& g : g_S) g /= read_V_;
}

void MemristorCells::apply(const PulseBatch& pulses, std::span<double> energy_J) {
  const std::size_t n = pulses.cells.size();
  std::vector<double> x(n), factor(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = x_[pulses.cells[i]];
  draws_.speeds(pulses.cells, factor);
  ArrayDrive drive{.amplitude_V = pulses.v_V, .duration_s = pulses.width_s, .rate_factor = factor};
  std::vector<float> noise;
  if (model_->is_noisy()) {
    drive.steps = 32;
    noise.resize(n * static_cast<std::size_t>(drive.steps));
    draws_.noise(pulses.cells, drive.steps, noise);
    drive.noise_draws = noise;
  }
  model_->advance(drive, x, energy_J);
  draws_.count(pulses.cells);
  for (std::size_t i = 0; i < n; ++i) x_[pulses.cells[i]] = x[i];
}

std::unique_ptr<PulsedCells> MemristorCells::nominal(std::size_t size) const {
  return std::make_unique<MemristorCells>(model_, read_V_, std::vector<double>(size, x_.at(0)), PulseSpread{}, stream_);
}

}  // namespace tellegen::devices
