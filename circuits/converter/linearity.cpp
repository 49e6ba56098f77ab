#include "tellegen/circuits/converter/linearity.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

constexpr int kBisections = 48;

/// Node voltages of a ladder for one driven rung, least significant end first. Rungs, series elements (rung i to i + 1),
/// termination and loads of the nodes are conductances or capacitances alike.
struct Ladder {
  std::vector<double> rungs, series, loads;
  double termination = 1;

  double output(std::size_t driven) const {
    const std::size_t n = rungs.size();
    std::vector<double> diagonal(n), right(n, 0.0);
    right[driven] = rungs[driven];
    for (std::size_t i = 0; i < n; ++i) {
      diagonal[i] = rungs[i] + loads[i] + (i == 0 ? termination : series[i - 1]) + (i + 1 < n ? series[i] : 0.0);
    }
    for (std::size_t i = 1; i < n; ++i) {
      const double factor = series[i - 1] / diagonal[i - 1];
      diagonal[i] -= factor * series[i - 1];
      right[i] += factor * right[i - 1];
    }
    return right[n - 1] / diagonal[n - 1];
  }
};

}  // namespace

Linearity linearity(std::span<const double> levels) {
  TELLEGEN_ASSERT(levels.size() >= 2 && levels.back() != levels.front());
  Linearity found;
  const double step = (levels.back() - levels.front()) / static_cast<double>(levels.size() - 1);
  double squares = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    found.inl.push_back((levels[i] - levels.front()) / step - static_cast<double>(i));
    squares += found.inl.back() * found.inl.back();
    found.inl_max = std::max(found.inl_max, std::abs(found.inl.back()));
    if (i == 0) continue;
    found.dnl.push_back((levels[i] - levels[i - 1]) / step - 1);
    found.dnl_max = std::max(found.dnl_max, std::abs(found.dnl.back()));
  }
  found.inl_rms = std::sqrt(squares / static_cast<double>(levels.size()));
  return found;
}

std::vector<double> thresholds(const AdcCircuit& circuit, int bits) {
  const auto codes = std::int64_t{1} << bits;
  std::vector<double> found;
  double from = -static_cast<double>(codes);
  for (std::int64_t code = 1; code < codes; ++code) {
    double below = from, above = 2.0 * static_cast<double>(codes);
    if (circuit.code(below, {}) >= code) {
      found.push_back(below);
      continue;
    }
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (below + above) / 2;
      (circuit.code(middle, {}) >= code ? above : below) = middle;
    }
    found.push_back(above);
    from = below;
  }
  return found;
}

double effective_bits(double range, int bits, double noise_rms, double inl_rms_steps) {
  const double step = std::ldexp(range, -bits);
  const double inl = inl_rms_steps * step;
  const double error = step * step / 12 + noise_rms * noise_rms + inl * inl;
  return (10 * std::log10(range * range / 8 / error) - 1.76) / 6.02;
}

double sampling_capacitance_F(int bits, double range_V, double temperature_K) {
  return 12 * devices::boltzmann_J_per_K * temperature_K * std::ldexp(1.0, 2 * bits) / (range_V * range_V);
}

std::vector<double> dac_bit_weights(const std::string& kind, int bits, double mismatch, double parasitic,
                                    const Stream& stream, std::uint64_t first) {
  TELLEGEN_ASSERT(bits >= 1 && bits <= 16);
  const std::size_t n = static_cast<std::size_t>(bits);
  std::vector<float> draws(3 * n + 1);
  stream.normals(first, draws);
  // `units` parallel units average their deviations.
  const auto unit = [&](std::size_t draw, double units) {
    return units + std::sqrt(units) * mismatch * static_cast<double>(draws[draw]);
  };
  const double full = std::ldexp(1.0, bits) / (std::ldexp(1.0, bits) - 1);  // the largest code is the full scale
  std::vector<double> weights(n);
  if (kind == "capacitive") {
    double total = unit(n, 1);
    for (std::size_t b = 0; b < n; ++b) total += weights[b] = unit(b, std::ldexp(1.0, static_cast<int>(b)));
    for (double& weight : weights) weight *= full / total;
    return weights;
  }
  TELLEGEN_ASSERT(kind == "c2c" || kind == "r2r");
  Ladder ladder;
  ladder.termination = unit(2 * n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    ladder.rungs.push_back(unit(i, 1));
    ladder.series.push_back(unit(n + i, 2));
    ladder.loads.push_back(parasitic);
  }
  for (std::size_t b = 0; b < n; ++b) weights[b] = full * ladder.output(b);
  return weights;
}

std::vector<double> dac_levels(std::span<const double> bit_weights) {
  std::vector<double> levels(std::size_t{1} << bit_weights.size(), 0.0);
  for (std::size_t code = 0; code < levels.size(); ++code) {
    for (std::size_t b = 0; b < bit_weights.size(); ++b) {
      if ((code >> b) & 1U) levels[code] += bit_weights[b];
    }
  }
  return levels;
}

}  // namespace tellegen::circuits
