#pragma once
// Arrays of cells that are programmed by pulses: what programming schemes see of a device.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/devices/programming/pulse_spread.h"

namespace tellegen::devices {

/// One pulse for each of some cells. All spans have the same length.
struct PulseBatch {
  std::span<const std::uint32_t> cells;  ///< numbers of the cells, no cell twice
  std::span<const double> v_V;           ///< with sign
  std::span<const double> width_s;
};

class PulsedCells {
 public:
  virtual ~PulsedCells() = default;
  virtual std::size_t size() const = 0;
  /// Conductance of the listed cells at the read voltage, without noise. Reading does not disturb.
  virtual void conductances(std::span<const std::uint32_t> cells, std::span<double> g_S) const = 0;
  /// Applies the pulses and adds the energy of each to energy_J (one per pulse).
  virtual void apply(const PulseBatch& pulses, std::span<double> energy_J) = 0;
  /// The sign of the voltage that raises the conductance.
  virtual int raising_sign() const = 0;
  virtual double read_V() const = 0;
  /// `size` cells as a controller believes them to be: without spread, in the state of cell 0 of this array.
  virtual std::unique_ptr<PulsedCells> nominal(std::size_t size) const = 0;
};

/// Cells with a dynamic model, in the states `x`.
class MemristorCells final : public PulsedCells {
 public:
  MemristorCells(std::shared_ptr<const MemristorModel> model, double read_V, std::vector<double> x,
                 const PulseSpread& spread, const Stream& stream);
  std::size_t size() const override { return x_.size(); }
  void conductances(std::span<const std::uint32_t> cells, std::span<double> g_S) const override;
  void apply(const PulseBatch& pulses, std::span<double> energy_J) override;
  int raising_sign() const override { return model_->raising_sign(); }
  double read_V() const override { return read_V_; }
  std::unique_ptr<PulsedCells> nominal(std::size_t size) const override;
  const std::vector<double>& states() const { return x_; }

 private:
  std::shared_ptr<const MemristorModel> model_;
  double read_V_;
  std::vector<double> x_;
  Stream stream_;
  PulseDraws draws_;
};

}  // namespace tellegen::devices
