#include "tellegen/devices/memristor/branches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

constexpr double pi = std::numbers::pi;

/// theta of sample i of n, -pi/2 to pi/2; exactly odd.
double angle(std::size_t i, std::size_t n) {
  const double middle = 0.5 * static_cast<double>(n - 1);
  return 0.5 * pi * (static_cast<double>(i) - middle) / middle;
}

std::vector<double> reference_shape(std::size_t n) {
  std::vector<double> reference(n);
  for (std::size_t i = 0; i < n; ++i) reference[i] = 0.5 * std::sin(2 * angle(i, n));
  return reference;
}

/// Fit of one stretch of samples to the reference.
struct Fit {
  double scale = 0;
  std::optional<double> max_deviation, rms_deviation;
};
Fit fit(std::span<const double> a, std::span<const double> reference, double largest) {
  double dot = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += a[i] * reference[i];
    norm += reference[i] * reference[i];
  }
  Fit result{dot / norm, {}, {}};
  if (std::abs(result.scale) <= 1e-6 * largest) return result;
  double worst = 0, squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = a[i] / result.scale - reference[i];
    worst = std::max(worst, std::abs(off));
    squares += off * off;
  }
  result.max_deviation = worst;
  result.rms_deviation = std::sqrt(squares / norm);
  return result;
}

/// xi of the largest |A| among samples first .. last - 1 of n.
double peak_xi(std::span<const double> a, std::size_t first, std::size_t last) {
  std::size_t k = first;
  for (std::size_t i = first; i < last; ++i) {
    if (std::abs(a[i]) > std::abs(a[k])) k = i;
  }
  double offset = 0;
  if (k > first && k + 1 < last) {
    const double left = std::abs(a[k - 1]), middle = std::abs(a[k]), right = std::abs(a[k + 1]);
    const double bend = left - 2 * middle + right;
    if (bend < 0) offset = 0.5 * (left - right) / bend;
  }
  const double step = angle(1, a.size()) - angle(0, a.size());
  return std::sin(angle(k, a.size()) + offset * step);
}

/// Times within a cycle of the rising branch at the samples; the falling one is at period - t.
std::vector<double> rising_times(const BranchDrive& drive, std::size_t n) {
  const double period_s = 1 / drive.frequency_Hz;
  std::vector<double> t_s(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double theta = angle(i, n);
    t_s[i] = drive.waveform == Waveform::sine ? period_s * (theta / (2 * pi) + 0.25)
                                              : period_s * 0.25 * (std::sin(theta) + 1);
  }
  t_s.back() = 0.5 * period_s;
  return t_s;
}

Drive over_time(const BranchDrive& drive) {
  const double amplitude = drive.amplitude, frequency_Hz = drive.frequency_Hz;
  if (drive.waveform == Waveform::sine) {
    return {drive.kind, [=](double t_s) { return -amplitude * std::cos(2 * pi * frequency_Hz * t_s); }};
  }
  return {drive.kind, [=](double t_s) {
            const double phase = t_s * frequency_Hz - std::floor(t_s * frequency_Hz);
            return amplitude * (1 - 4 * std::abs(phase - 0.5));
          }};
}

}  // namespace

double hyperbolic_gate(double g) { return std::tanh(g) / std::cosh(g); }
double hyperbolic_gate_slope(double g) {
  const double sech = 1 / std::cosh(g), sinh = std::sinh(g);
  return sech * sech * sech * (1 - sinh * sinh);
}

GateSize match_silu(double sigma) {
  TELLEGEN_ASSERT(sigma > 0);
  // The trapezoidal rule converges faster than any power of the step for analytic integrands that vanish at the ends.
  constexpr double end = 12, step = 0.005;
  double silu = 0, gate = 0;
  for (int i = -static_cast<int>(end / step); i <= static_cast<int>(end / step); ++i) {
    const double z = i * step, g = sigma * z, weight = step * std::exp(-0.5 * z * z) / std::sqrt(2 * pi);
    const double s = g / (1 + std::exp(-g)), h = hyperbolic_gate(g);
    silu += weight * s * s;
    gate += weight * h * h;
  }
  return {std::sqrt(silu), std::sqrt(gate)};
}

std::span<const std::pair<Waveform, const char*>> enum_names(Waveform) {
  static constexpr std::array<std::pair<Waveform, const char*>, 2> names{
      {{Waveform::sine, "sine"}, {Waveform::triangle, "triangle"}}};
  return names;
}

ShapeDeviation measure_shape(std::span<const double> separation) {
  const std::size_t n = separation.size();
  TELLEGEN_ASSERT(n >= 5 && n % 2 == 1);
  const std::vector<double> reference = reference_shape(n);
  double largest = 0, even = 0;
  for (std::size_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(separation[i]));
    even = std::max(even, std::abs(separation[i] + separation[n - 1 - i]));
  }
  const std::size_t half = n / 2;
  const auto lobe = [&](std::size_t first) {
    return fit(separation.subspan(first, half), std::span(reference).subspan(first, half), largest);
  };
  const Fit whole = fit(separation, reference, largest), negative = lobe(0), positive = lobe(half + 1);
  ShapeDeviation shape;
  shape.scale = whole.scale;
  shape.max_deviation = whole.max_deviation;
  shape.rms_deviation = whole.rms_deviation;
  shape.peak_xi_positive = peak_xi(separation, half + 1, n);
  shape.peak_xi_negative = peak_xi(separation, 0, half);
  shape.peak_g = std::atanh(std::min(shape.peak_xi_positive, 1 - 1e-12));
  shape.non_oddness = largest > 0 ? even / largest : 0;
  shape.lobe_scale_positive = positive.scale;
  shape.lobe_scale_negative = negative.scale;
  shape.lobe_deviation_positive = positive.max_deviation;
  shape.lobe_deviation_negative = negative.max_deviation;
  return shape;
}

BranchSeparation separate_branches(const MemristorModel& model, const BranchDrive& drive) {
  TELLEGEN_ASSERT(drive.samples >= 5 && drive.samples % 2 == 1 && drive.cycles >= 1 && drive.frequency_Hz > 0);
  const auto n = static_cast<std::size_t>(drive.samples);
  const double period_s = 1 / drive.frequency_Hz, start_s = (drive.cycles - 1) * period_s;
  std::vector<double> t_s = rising_times(drive, n);
  for (std::size_t i = n - 1; i-- > 0;) t_s.push_back(period_s - t_s[i]);
  for (double& t : t_s) t += start_s;
  t_s.insert(t_s.begin(), 0.0);
  const Trajectory path = integrate_adaptively(model, over_time(drive), drive.x_at_trough, t_s,
                                               {drive.tolerance, period_s / 200, 20000000});
  const std::span<const double> x(path.x.data() + 1, 2 * n - 1);
  BranchSeparation result;
  result.reference = reference_shape(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double xi = std::sin(angle(i, n)), value = drive.amplitude * xi;
    const auto answer = [&](double state) {
      return drive.kind == DriveKind::voltage ? model.current_A(state, value) : model.voltage_V(state, value);
    };
    result.xi.push_back(xi);
    result.separation.push_back(0.5 * (answer(x[2 * n - 2 - i]) - answer(x[i])));
  }
  result.shape = measure_shape(result.separation);
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  result.x_min = *low;
  result.x_max = *high;
  result.drift_per_cycle = x.back() - x.front();
  return result;
}

std::vector<double> small_excursion_branches(const std::function<double(double)>& kinetics,
                                             const std::function<double(double)>& conduction, int samples) {
  TELLEGEN_ASSERT(samples >= 5 && samples % 2 == 1);
  const auto n = static_cast<std::size_t>(samples);
  // Gauss-Legendre with three points; cells so narrow that a kink inside one costs less than 1e-9.
  constexpr int cells = 64;
  constexpr double node = 0.7745966692414834;
  std::vector<double> result(n);
  double integral = 0;
  for (std::size_t i = n; i-- > n / 2;) {
    if (i + 1 < n) {
      const double low = angle(i, n), h = (angle(i + 1, n) - low) / cells;
      for (int c = 0; c < cells; ++c) {
        const double middle = low + (c + 0.5) * h;
        const auto f = [&](double z) { return kinetics(std::sin(middle + 0.5 * h * z)); };
        integral += h / 18 * (5 * f(-node) + 8 * f(0) + 5 * f(node));
      }
    }
    const double xi = std::sin(angle(i, n));
    result[i] = conduction(xi) * integral;
    result[n - 1 - i] = conduction(-xi) * integral;
  }
  return result;
}

}  // namespace tellegen::devices
