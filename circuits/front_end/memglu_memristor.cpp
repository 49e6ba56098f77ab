#include "tellegen/circuits/front_end/memglu_memristor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/devices/memristor/adaptive.h"

namespace tellegen::circuits {
namespace {

constexpr double pi = std::numbers::pi;
/// Per branch. Cubic interpolation of sin(2 theta) / 2 between them is right to 2e-13.
constexpr int samples = 3201;
constexpr double tolerance = 1e-12;

struct Branches {
  std::vector<double> rising_A, falling_A;
  double energy_J = 0, charge_C = 0;
};

/// Currents of the last cycle at the instants of separate_branches, and the energy of all cycles.
Branches drive_through(const devices::MemristorModel& model, const MemristorLoop& loop, double x_at_trough) {
  constexpr int steps = 2 * (samples - 1);  // of a cycle; the drive's trough is at its start
  const double period_s = 1 / loop.frequency.si(), amplitude_V = loop.amplitude.si();
  std::vector<double> t_s;
  for (int k = 0; k <= loop.cycles * steps; ++k) t_s.push_back(period_s * k / steps);
  const auto value = [=](double t) { return -amplitude_V * std::cos(2 * pi * t / period_s); };
  const auto path = devices::integrate_adaptively(model, {devices::DriveKind::voltage, value}, x_at_trough, t_s,
                                                  {tolerance, period_s / 200, 20000000});
  Branches result;
  // The trapezoidal rule over whole periods of a periodic integrand.
  for (std::size_t k = 0; k + 1 < path.i_A.size(); ++k) {
    const double half_s = 0.5 * (t_s[k + 1] - t_s[k]);
    result.energy_J += half_s * (path.v_V[k] * path.i_A[k] + path.v_V[k + 1] * path.i_A[k + 1]);
    result.charge_C += half_s * (std::abs(path.i_A[k]) + std::abs(path.i_A[k + 1]));
  }
  const std::size_t first = path.i_A.size() - 1 - steps;
  for (int k = 0; k < samples; ++k) {
    result.rising_A.push_back(path.i_A[first + static_cast<std::size_t>(k)]);
    result.falling_A.push_back(path.i_A[first + static_cast<std::size_t>(steps - k)]);
  }
  return result;
}

double gudermannian(double g) { return 2 * std::atan(std::tanh(0.5 * g)); }

}  // namespace

std::span<const std::pair<BranchSampling, const char*>> enum_names(BranchSampling) {
  static constexpr std::array<std::pair<BranchSampling, const char*>, 2> names{
      {{BranchSampling::two_point, "two_point"}, {BranchSampling::lock_in, "lock_in"}}};
  return names;
}

void MemristorLoop::settings(Settings& v) {
  v.section("memristor", memristor, "the device");
  v("amplitude", amplitude, "of the sinusoidal drive", positive());
  v("frequency", frequency, "of the drive", positive());
  v("start", start, "state at the trough of the drive, as a share of its range", between(0, 1));
  v("cycles", cycles, "of the drive per evaluation; the last one is sampled", between(1, 1000));
  v("sampling", sampling, "the current at the two crossings, or its second harmonic there");
  v("read_noise", read_noise, "standard deviation of one sampled current, as a share of it", between(0, 1));
  v("endurance", endurance, "cycles until a device fails (assumed; published devices: 1e6 to 1e12)", positive());
}

bool is_a_gate(const devices::ShapeDeviation& shape) { return shape.max_deviation.has_value(); }

MemristorGate::MemristorGate(const MemristorLoop& loop) : sampling_(loop.sampling), read_noise_(loop.read_noise) {
  const auto model = loop.memristor.make();
  const auto state = model->state();
  const double x_at_trough = state.low + loop.start * state.width();
  const auto found = devices::separate_branches(*model, {.amplitude = loop.amplitude.si(),
                                                         .frequency_Hz = loop.frequency.si(),
                                                         .x_at_trough = x_at_trough,
                                                         .cycles = loop.cycles,
                                                         .samples = samples,
                                                         .tolerance = tolerance});
  shape_ = found.shape;
  if (!is_a_gate(shape_)) {
    throw RefusedError({"The two branches of this memristor have nothing of tanh g sech g in them at this drive.",
                        "Change amplitude, frequency or start."});
  }
  const Branches branches = drive_through(*model, loop, x_at_trough);
  for (std::size_t k = 0; k < found.separation.size(); ++k) {
    normalised_.push_back(sampling_ == BranchSampling::lock_in ? found.reference[k]
                                                               : found.separation[k] / shape_.scale);
    rising_.push_back(branches.rising_A[k] / shape_.scale);
    falling_.push_back(branches.falling_A[k] / shape_.scale);
  }
  const double peak = 0.25 * pi;  // xi = 1 / sqrt 2
  signal_share_ = std::abs(angle_value(falling_, peak) - angle_value(rising_, peak)) /
                  std::abs(angle_value(falling_, peak) + angle_value(rising_, peak));
  energy_J_ = branches.energy_J;
  charge_C_ = branches.charge_C;
  duration_s_ = loop.cycles / loop.frequency.si();
  excursion_ = (found.x_max - found.x_min) / state.width();
  drift_ = found.drift_per_cycle / state.width();
  evaluations_ = loop.endurance / loop.cycles;
}

double MemristorGate::angle_value(const std::vector<double>& values, double theta) const {
  // Cubic through four neighbours; at the ends, the four outermost.
  const double at = (theta / pi + 0.5) * (samples - 1);
  const double cell = std::clamp(std::floor(at), 1.0, static_cast<double>(samples - 3));
  const double t = at - cell;
  const double* y = values.data() + static_cast<std::size_t>(cell);
  return -t * (t - 1) * (t - 2) / 6 * y[-1] + (t + 1) * (t - 1) * (t - 2) / 2 * y[0] -
         (t + 1) * t * (t - 2) / 2 * y[1] + (t + 1) * t * (t - 1) / 6 * y[2];
}

double MemristorGate::value(double g) const { return angle_value(normalised_, gudermannian(g)); }
double MemristorGate::value_at_level(double xi) const { return angle_value(normalised_, std::asin(xi)); }

double MemristorGate::noise(double g) const {
  const double theta = gudermannian(g);
  if (sampling_ == BranchSampling::two_point) {
    return 0.5 * read_noise_ * std::hypot(angle_value(rising_, theta), angle_value(falling_, theta));
  }
  // The filter is taken to be worth two independent reads, as many as the plain difference takes: the amplitude of the
  // second harmonic then scatters by sqrt(2 / 2) of the rms noise of a read.
  double squares = 0;
  for (std::size_t k = 0; k < rising_.size(); ++k) squares += rising_[k] * rising_[k] + falling_[k] * falling_[k];
  const double rms = std::sqrt(squares / static_cast<double>(2 * rising_.size()));
  return read_noise_ * rms * std::abs(std::sin(2 * theta));
}

}  // namespace tellegen::circuits
