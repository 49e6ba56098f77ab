#pragma once
// The MemGLU gate tanh g sech g out of a memristor: a sinusoid V sin(theta) drives it through a cycle, its current is
// sampled where the drive passes V tanh g upwards and where it passes it downwards, and half the difference is scaled.
// For an ideal first-order memristor that is the gate exactly; what other models make of it is computed, not assumed.

#include <span>
#include <utility>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/devices/memristor/branches.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::circuits {

/// two_point: current at the two crossings. lock_in: second harmonic of the current alone, at the same two instants;
/// its half difference is b sin(2 theta) for every device, so the shape is exact and only the size b is the device's.
enum class BranchSampling { two_point, lock_in };
std::span<const std::pair<BranchSampling, const char*>> enum_names(BranchSampling);

/// The memristor and how it is driven: `drive:` in a file.
struct MemristorLoop {
  devices::MemristorConfig memristor;
  Voltage amplitude = Voltage::si(1);
  Frequency frequency = Frequency::si(1e3);
  double start = 0.5;  ///< state at the trough of the drive, as a share of its range
  int cycles = 1;      ///< per evaluation; the last one is sampled
  BranchSampling sampling = BranchSampling::two_point;
  double read_noise = 0;   ///< standard deviation of one sampled current, as a share of it
  double endurance = 1e9;  ///< cycles until a device fails
  void settings(Settings& v);
};

/// The separated branch of one device, normalised, with what an evaluation costs.
class MemristorGate {
 public:
  /// Integrates the device over its cycles. Throws RefusedError where the state cannot be followed.
  explicit MemristorGate(const MemristorLoop& loop);

  /// Normalised gate, tanh g sech g for an ideal device (no c0): cubic in the angle theta, xi = tanh g = sin theta.
  double value(double g) const;
  /// The same at a drive level -1 <= xi <= 1.
  double value_at_level(double xi) const;
  /// Standard deviation of value(g) from the read noise: two independent reads, or one filtered over the cycle.
  double noise(double g) const;

  const devices::ShapeDeviation& shape() const { return shape_; }
  /// What the half difference of currents is divided by [A]: its least-squares fit to xi sqrt(1 - xi^2), negative
  /// where the device answers with the other sign.
  double scale_A() const { return shape_.scale; }
  /// Half difference over the mean of the two currents at the peak of the gate: how little of a read is signal.
  double signal_share() const { return signal_share_; }
  /// What the drive puts into the memristor during all cycles of one evaluation.
  double energy_J() const { return energy_J_; }
  /// Integral of the magnitude of its current: what a supply has to bring.
  double charge_C() const { return charge_C_; }
  double duration_s() const { return duration_s_; }
  /// Of the state, per cycle, as shares of its range.
  double excursion() const { return excursion_; }
  double drift() const { return drift_; }
  /// How many gates one device can make before it fails.
  double evaluations() const { return evaluations_; }

 private:
  double angle_value(const std::vector<double>& samples, double theta) const;

  devices::ShapeDeviation shape_;
  BranchSampling sampling_;
  double read_noise_;
  std::vector<double> normalised_, rising_, falling_;  ///< by theta; currents in units of scale_A
  double signal_share_ = 0, energy_J_ = 0, charge_C_ = 0, duration_s_ = 0, excursion_ = 0, drift_ = 0, evaluations_ = 0;
};

/// A device is a gate only where the fit has a sign and a size: false where A is orthogonal to the reference.
bool is_a_gate(const devices::ShapeDeviation& shape);

}  // namespace tellegen::circuits
