#pragma once
// Makes a MemristorModel out of a kernel: a small struct of SI doubles with
//   current(x, v), rate(x, v), voltage(x, i), after_pulse(x, v, t) and noise(x, v) if it has them, range and sign.
// The loops over arrays are compiled once per kernel and vector unit.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/memristor/elementary.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

/// Devices of one block: their states, drives and rates stay in the first-level cache.
inline constexpr std::size_t memristor_block = 512;

/// Has x after a constant voltage in closed form.
template <class Kernel>
concept HasClosedPulse = requires(const Kernel k) {
  k.after_pulse(0.0, 0.0, 0.0);
};
/// Has a random part of dx/dt: the standard deviation of x after time t is noise(x, v) * sqrt(t).
template <class Kernel>
concept HasNoise = requires(const Kernel k) {
  k.noise(0.0, 0.0);
};

/// Whose rate does not depend on the state: the rate at the end of one step is that at the start of the next.
template <class Kernel>
concept HasStatelessRate = requires {
  requires Kernel::rate_ignores_state;
};

/// The step below where the rates k1, k2 = k3, k4 at its start, middle and end are known.
template <class Kernel>
TELLEGEN_KERNEL double stateless_step(const Kernel& k, double x, double k1, double k2, double k4, double h_s) {
  using elementary::clamp;
  constexpr double any = std::numeric_limits<double>::infinity();
  const double most = x >= k.range.high ? 0.0 : any, least = x <= k.range.low ? 0.0 : -any;
  const double start = clamp(k1, least, most), middle = clamp(k2, least, most), end = clamp(k4, least, most);
  return clamp(x + h_s / 6.0 * (start + 2.0 * (middle + middle) + end), k.range.low, k.range.high);
}

/// One Runge-Kutta step of fourth order over h_s; v0, v1, v2 are the voltages at its start, middle and end. Stages are
/// clipped to the range, and so is the end; where the step starts at a limit, a rate pointing out of the range counts
/// as zero, so that a voltage that turns within the step pulls x away from the limit in time.
template <class Kernel>
TELLEGEN_KERNEL double runge_kutta_step(const Kernel& k, double x, double v0, double v1, double v2, double h_s,
                                        double factor) {
  using elementary::clamp;
  constexpr double any = std::numeric_limits<double>::infinity();
  const double low = k.range.low, high = k.range.high;
  const double most = x >= high ? 0.0 : any, least = x <= low ? 0.0 : -any;
  const double k1 = clamp(factor * k.rate(x, v0), least, most);
  const double k2 = clamp(factor * k.rate(clamp(x + 0.5 * h_s * k1, low, high), v1), least, most);
  const double k3 = clamp(factor * k.rate(clamp(x + 0.5 * h_s * k2, low, high), v1), least, most);
  const double k4 = clamp(factor * k.rate(clamp(x + h_s * k3, low, high), v2), least, most);
  return clamp(x + h_s / 6.0 * (k1 + 2.0 * (k2 + k3) + k4), low, high);
}

/// Views of one block of devices.
struct MemristorBlock {
  double* x;
  const double* amplitude_V;
  const double* step_s;
  const double* factor;
  std::size_t count;
};

template <class Kernel>
struct CurrentLoop {
  TELLEGEN_KERNEL static void run(Kernel k, const double* x, const double* v_V, double* i_A, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) i_A[i] = k.current(x[i], v_V[i]);
  }
};

template <class Kernel>
struct RateLoop {
  TELLEGEN_KERNEL static void run(Kernel k, const double* x, const double* v_V, double* rate, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) rate[i] = k.rate(x[i], v_V[i]);
  }
};

/// The same march where rates ignore the state: two of them per step instead of three.
template <class Kernel>
struct StatelessLoop {
  TELLEGEN_KERNEL static void run(Kernel k, MemristorBlock b, const double* shape, int steps) {
    std::array<double, memristor_block> rate;
    for (std::size_t i = 0; i < b.count; ++i) rate[i] = b.factor[i] * k.rate(b.x[i], shape[0] * b.amplitude_V[i]);
    for (int s = 0; s < steps; ++s) step(k, b, shape[2 * s + 1], shape[2 * s + 2], rate.data());
  }
  TELLEGEN_KERNEL static void step(const Kernel& k, const MemristorBlock& b, double middle, double end, double* rate) {
    double* __restrict x = b.x;
    double* __restrict start = rate;
    const double* amplitude_V = b.amplitude_V;
    const double* step_s = b.step_s;
    const double* factor = b.factor;
    const std::size_t count = b.count;
    for (std::size_t i = 0; i < count; ++i) {
      const double k2 = factor[i] * k.rate(x[i], middle * amplitude_V[i]);
      const double k4 = factor[i] * k.rate(x[i], end * amplitude_V[i]);
      x[i] = stateless_step(k, x[i], start[i], k2, k4, step_s[i]);
      start[i] = k4;
    }
  }
};

/// `steps` steps; shape holds 2 steps + 1 samples. The block stays in the cache from step to step.
template <class Kernel>
struct RungeKuttaLoop {
  TELLEGEN_KERNEL static void run(Kernel k, MemristorBlock b, const double* shape, int steps) {
    for (int s = 0; s < steps; ++s) step(k, b, shape[2 * s], shape[2 * s + 1], shape[2 * s + 2]);
  }
  TELLEGEN_KERNEL static void step(const Kernel& k, const MemristorBlock& b, double s0, double s1, double s2) {
    double* __restrict x = b.x;
    const double* amplitude_V = b.amplitude_V;
    const double* step_s = b.step_s;
    const double* factor = b.factor;
    const std::size_t count = b.count;
    for (std::size_t i = 0; i < count; ++i) {
      const double v = amplitude_V[i];
      x[i] = runge_kutta_step(k, x[i], s0 * v, s1 * v, s2 * v, step_s[i], factor[i]);
    }
  }
};

template <class Kernel>
struct ClosedPulseLoop {
  TELLEGEN_KERNEL static void run(Kernel k, MemristorBlock b) {
    for (std::size_t i = 0; i < b.count; ++i) {
      const double end = k.after_pulse(b.x[i], b.amplitude_V[i], b.factor[i] * b.step_s[i]);
      b.x[i] = elementary::clamp(end, k.range.low, k.range.high);
    }
  }
};

/// energy += weight * step * v i, with the voltage amplitude * shape.
template <class Kernel>
struct EnergyLoop {
  TELLEGEN_KERNEL static void run(Kernel k, MemristorBlock b, double shape, double weight, double* energy_J) {
    for (std::size_t i = 0; i < b.count; ++i) {
      const double v = shape * b.amplitude_V[i];
      energy_J[i] += weight * b.step_s[i] * v * k.current(b.x[i], v);
    }
  }
};

/// x += noise(x, v) sqrt(step) draw, clipped. Draws of one device stand `stride` before those of the next.
template <class Kernel>
struct NoiseLoop {
  TELLEGEN_KERNEL static void run(Kernel k, MemristorBlock b, double shape, const float* draws, std::size_t stride) {
    for (std::size_t i = 0; i < b.count; ++i) {
      const double spread = k.noise(b.x[i], shape * b.amplitude_V[i]) * std::sqrt(b.step_s[i]);
      const double moved = b.x[i] + spread * static_cast<double>(draws[i * stride]);
      b.x[i] = elementary::clamp(moved, k.range.low, k.range.high);
    }
  }
};

/// Weight of the sample after `step` of `steps` steps: composite Simpson rule for an even number of steps, else the
/// trapezoidal rule.
inline double energy_weight(int step, int steps) {
  const bool end = step == 0 || step == steps;
  if (steps % 2 != 0) return end ? 0.5 : 1.0;
  return (end ? 1.0 : step % 2 == 1 ? 4.0 : 2.0) / 3.0;
}

template <class Kernel>
class ModelOf final : public MemristorModel {
 public:
  explicit ModelOf(const Kernel& kernel) : kernel_(kernel) {}

  StateRange state() const override { return kernel_.range; }
  int raising_sign() const override { return kernel_.raising_sign(); }
  double current_A(double x, double v_V) const override { return kernel_.current(x, v_V); }
  double voltage_V(double x, double i_A) const override { return kernel_.voltage(x, i_A); }
  double rate_per_s(double x, double v_V) const override { return kernel_.rate(x, v_V); }
  std::size_t event_count() const override { return Kernel::event_count; }
  void events(double x, double v_V, std::span<double> values) const override { kernel_.events(x, v_V, values.data()); }
  bool pulses_are_exact() const override { return HasClosedPulse<Kernel>; }
  bool is_noisy() const override {
    if constexpr (HasNoise<Kernel>) return kernel_.is_noisy();
    return false;
  }

  void currents(std::span<const double> x, std::span<const double> v_V, std::span<double> i_A) const override {
    TELLEGEN_ASSERT(x.size() == v_V.size() && x.size() == i_A.size());
    vectorised<CurrentLoop<Kernel>>(kernel_, x.data(), v_V.data(), i_A.data(), x.size());
  }
  void rates(std::span<const double> x, std::span<const double> v_V, std::span<double> rate_per_s) const override {
    TELLEGEN_ASSERT(x.size() == v_V.size() && x.size() == rate_per_s.size());
    vectorised<RateLoop<Kernel>>(kernel_, x.data(), v_V.data(), rate_per_s.data(), x.size());
  }

  void advance(const ArrayDrive& drive, std::span<double> x, std::span<double> energy_J) const override {
    const bool pulse = drive.shape.empty();
    TELLEGEN_ASSERT(drive.amplitude_V.size() == x.size() && drive.duration_s.size() == x.size());
    TELLEGEN_ASSERT(drive.rate_factor.empty() || drive.rate_factor.size() == x.size());
    TELLEGEN_ASSERT(energy_J.empty() || energy_J.size() == x.size());
    const bool noisy = !drive.noise_draws.empty() && is_noisy();
    const bool exact = pulse && HasClosedPulse<Kernel> && !noisy;
    const int steps = drive.steps > 0 ? drive.steps : exact ? closed_pulse_steps : pulse_steps;
    TELLEGEN_ASSERT(pulse || (drive.steps > 0 && drive.shape.size() == 2 * static_cast<std::size_t>(steps) + 1));
    TELLEGEN_ASSERT(!noisy || drive.noise_draws.size() == x.size() * static_cast<std::size_t>(steps));
    std::vector<double> ones;
    if (pulse) ones.assign(2 * static_cast<std::size_t>(steps) + 1, 1.0);
    const March march{drive, pulse ? std::span<const double>(ones) : drive.shape, steps, exact, noisy};
    for (std::size_t first = 0; first < x.size(); first += memristor_block) {
      const std::size_t count = std::min(memristor_block, x.size() - first);
      advance_block(march, first, x.subspan(first, count),
                    energy_J.empty() ? energy_J : energy_J.subspan(first, count));
    }
  }

 private:
  /// Steps of a pulse: enough for the energy where x is exact, enough for x where it is integrated.
  static constexpr int closed_pulse_steps = 4;
  static constexpr int pulse_steps = 32;

  struct March {
    const ArrayDrive& drive;
    std::span<const double> shape;
    int steps;
    bool exact;
    bool noisy;
  };

  void advance_block(const March& m, std::size_t first, std::span<double> x, std::span<double> energy_J) const {
    std::array<double, memristor_block> step_s, factor;
    for (std::size_t i = 0; i < x.size(); ++i) {
      step_s[i] = m.drive.duration_s[first + i] / m.steps;
      factor[i] = m.drive.rate_factor.empty() ? 1.0 : m.drive.rate_factor[first + i];
    }
    const MemristorBlock block{x.data(), m.drive.amplitude_V.data() + first, step_s.data(), factor.data(), x.size()};
    if (energy_J.empty() && !m.noisy) {
      move(block, m.shape.data(), m.steps, m.exact);
      return;
    }
    const auto add_energy = [&](int step) {
      if (energy_J.empty()) return;
      vectorised<EnergyLoop<Kernel>>(kernel_, block, m.shape[2 * static_cast<std::size_t>(step)],
                                     energy_weight(step, m.steps), energy_J.data());
    };
    add_energy(0);
    for (int step = 0; step < m.steps; ++step) {
      move(block, m.shape.data() + 2 * step, 1, m.exact);
      if constexpr (HasNoise<Kernel>) {
        if (m.noisy) {
          const auto stride = static_cast<std::size_t>(m.steps);
          const float* draws = m.drive.noise_draws.data() + first * stride + static_cast<std::size_t>(step);
          vectorised<NoiseLoop<Kernel>>(kernel_, block, m.shape[2 * static_cast<std::size_t>(step) + 2], draws, stride);
        }
      }
      add_energy(step + 1);
    }
  }

  void move(const MemristorBlock& block, const double* shape, int steps, bool exact) const {
    if constexpr (HasClosedPulse<Kernel>) {
      if (exact) {
        for (int s = 0; s < steps; ++s) vectorised<ClosedPulseLoop<Kernel>>(kernel_, block);
        return;
      }
    }
    if constexpr (HasStatelessRate<Kernel>) {
      vectorised<StatelessLoop<Kernel>>(kernel_, block, shape, steps);
    } else {
      vectorised<RungeKuttaLoop<Kernel>>(kernel_, block, shape, steps);
    }
  }

  Kernel kernel_;
};

}  // namespace tellegen::devices
