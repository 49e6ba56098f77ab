#pragma once
// Branch separation: a memristor under a periodic drive has two answers at each drive value, one while the drive rises
// and one while it falls. Half their difference, over the normalised drive xi, is xi sqrt(1 - xi^2) for an ideal
// memristor under a sinusoid; with xi = tanh g it is the gate tanh g sech g.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tellegen/devices/memristor/adaptive.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// tanh g sech g, and its derivative sech^3 g (1 - sinh^2 g). The peak is 1/2 at g = arsinh 1, xi = 1 / sqrt 2.
double hyperbolic_gate(double g);
double hyperbolic_gate_slope(double g);

/// For g from Normal(0, sigma^2): root mean squares of SiLU(g) and of the gate. Their ratio scales the gate so that it
/// has the size of a SiLU; sigma > 0.
struct GateSize {
  double silu_rms = 0;
  double gate_rms = 0;
  double scale() const { return silu_rms / gate_rms; }
};
GateSize match_silu(double sigma);

/// sine: A sin theta; triangle: straight between -A and A. Both start at the trough.
enum class Waveform { sine, triangle };
std::span<const std::pair<Waveform, const char*>> enum_names(Waveform);

struct BranchDrive {
  DriveKind kind = DriveKind::voltage;
  Waveform waveform = Waveform::sine;
  double amplitude = 1;  ///< V or A
  double frequency_Hz = 1;
  double x_at_trough = 0.5;  ///< state at the start of the first cycle, in the unit of the model
  int cycles = 1;            ///< the last one is looked at
  int samples = 401;         ///< per branch, evenly spaced in theta from -pi/2 to pi/2 (xi = sin theta); odd
  double tolerance = 1e-10;  ///< of the integration
};

/// How far A(xi) is from the reference xi sqrt(1 - xi^2), which peaks at 0.5.
struct ShapeDeviation {
  double scale = 0;                     ///< least-squares c in A = c * reference
  std::optional<double> max_deviation;  ///< max |A / c - reference|; absent where A is orthogonal to the reference
  std::optional<double> rms_deviation;  ///< rms of the same, as a share of the rms of the reference
  double peak_xi_positive = 0;          ///< where |A| is largest for xi > 0, by a parabola through three samples
  double peak_xi_negative = 0;
  double peak_g = 0;               ///< artanh of peak_xi_positive
  double non_oddness = 0;          ///< max |A(xi) + A(-xi)| / max |A|
  double lobe_scale_positive = 0;  ///< the same fit to one lobe alone
  double lobe_scale_negative = 0;
  std::optional<double> lobe_deviation_positive;
  std::optional<double> lobe_deviation_negative;
};
/// `separation` sampled evenly in theta, xi = sin theta, as in BranchDrive.
ShapeDeviation measure_shape(std::span<const double> separation);

struct BranchSeparation {
  std::vector<double> xi;
  std::vector<double> separation;  ///< (falling - rising) / 2, in A under voltage drive, in V under current drive
  std::vector<double> reference;   ///< xi sqrt(1 - xi^2)
  ShapeDeviation shape;
  double x_min = 0, x_max = 0;  ///< over the cycle, at the samples
  double drift_per_cycle = 0;   ///< x at the end of the cycle - x at its start
};
/// Drives one device and separates the branches of the last cycle. Throws RefusedError as integrate_adaptively does.
BranchSeparation separate_branches(const MemristorModel& model, const BranchDrive& drive);

/// First order in the excursion of the state: A(xi) = conduction(xi) * integral of kinetics(sin s) from arcsin|xi| to
/// pi/2, for kinetics that are odd in the drive. Samples as in BranchDrive, without the factor 1/omega.
std::vector<double> small_excursion_branches(const std::function<double(double)>& kinetics,
                                             const std::function<double(double)>& conduction, int samples = 401);

}  // namespace tellegen::devices
