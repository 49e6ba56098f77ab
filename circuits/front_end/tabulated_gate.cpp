#include "tellegen/circuits/front_end/tabulated_gate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/tabulated_gate_kernels.h"

namespace tellegen::circuits {
namespace {

/// Tables reach past the limits by this much, where units with an offset look.
constexpr double margin_x = 4;
constexpr double steps_per_x = 32;
constexpr std::size_t chunk = curve_chunk;
using Chunk = std::array<float, chunk>;

/// Cubics through the four samples around each piece.
CurveTable tabulate(const std::function<double(double)>& curve, double low_x, double high_x) {
  const auto count = static_cast<std::size_t>(std::ceil((high_x - low_x) * steps_per_x));
  CurveTable table{static_cast<float>(low_x),
                   static_cast<float>(low_x + static_cast<double>(count) / steps_per_x),
                   static_cast<float>(steps_per_x),
                   {}};
  std::vector<double> samples;
  for (std::size_t k = 0; k < count + 3; ++k) {
    samples.push_back(curve(low_x + (static_cast<double>(k) - 1) / steps_per_x));
  }
  for (std::size_t k = 0; k < count; ++k) {
    const double a = samples[k], b = samples[k + 1], c = samples[k + 2], d = samples[k + 3];
    table.pieces.push_back({static_cast<float>(b), static_cast<float>((6 * c - 2 * a - 3 * b - d) / 6),
                            static_cast<float>((a - 2 * b + c) / 2), static_cast<float>((d - a + 3 * (b - c)) / 6)});
  }
  return table;
}

class TabulatedGate final : public FrontEnd {
 public:
  explicit TabulatedGate(TabulatedDesign design) : design_(std::move(design)) {
    check(design_.gate);
    // Whole numbers, so that the places of samples are exact in float.
    const double low_x = std::floor(design_.limits.x_low - margin_x);
    const double high_x = std::ceil(design_.limits.x_high + margin_x);
    for (const GateTerm& term : design_.terms) tables_.push_back(tabulate(term.curve, low_x, high_x));
    noise_ = tabulate(design_.output_noise, low_x, high_x);
    measure_table_error();
  }

  const GateFunction& gate() const override { return design_.gate; }
  double transfer(double x) const override {
    const double inside = std::clamp(x, design_.limits.x_low, design_.limits.x_high);
    double y = 0;
    for (const GateTerm& term : design_.terms) y += term.gain * (term.times_x ? inside : 1) * term.curve(inside);
    return y;
  }
  double table_error() const override { return table_error_; }
  InputLimits limits() const override { return design_.limits; }
  const std::vector<ErrorPlane>& error_planes() const override { return design_.planes; }

  UnitErrors sample(const Stream& mismatch, std::uint64_t first_unit, std::int64_t units) const override {
    const std::size_t planes = design_.planes.size(), count = static_cast<std::size_t>(units);
    UnitErrors errors{units, std::vector<float>(planes * count)};
    std::vector<float> draws(planes);
    for (std::size_t u = 0; u < count; ++u) {
      mismatch.normals((first_unit + u) * planes, draws);
      if (design_.errors_of_draws) {
        design_.errors_of_draws(draws);
      } else {
        for (std::size_t k = 0; k < planes; ++k) draws[k] *= static_cast<float>(design_.planes[k].deviation);
      }
      for (std::size_t k = 0; k < planes; ++k) errors.plane(k)[u] = draws[k];
    }
    return errors;
  }

  void evaluate(std::span<const float> x, const UnitErrors& errors, const Stream* noise, std::uint64_t first_element,
                std::span<float> y) const override {
    const auto units = static_cast<std::size_t>(errors.units);
    TELLEGEN_ASSERT(y.size() == x.size() && (units == 0 || x.size() % units == 0));
    const auto low = static_cast<float>(design_.limits.x_low), high = static_cast<float>(design_.limits.x_high);
    for (std::size_t first = 0; first < x.size(); first += chunk) {
      const std::size_t here = std::min(chunk, x.size() - first);
      Chunk inside, sum{};
      for (std::size_t i = 0; i < here; ++i) inside[i] = std::clamp(x[first + i], low, high);
      const std::span<const float> in(inside.data(), here);
      const std::span<float> out(sum.data(), here);
      for (std::size_t j = 0; j < design_.terms.size(); ++j) add_term(j, errors, first, in, out);
      if (noise != nullptr) add_noise(*noise, first_element + first, in, out);
      std::ranges::copy(out, y.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }
  int draws_per_element() const override { return 1; }

  double output_noise(double x) const override { return design_.output_noise(x); }
  const FrontEndNoise& noise() const override { return design_.noise; }
  const FrontEndCost& cost() const override { return design_.cost; }
  EnergyBook energy(double x_before, double x, double duration_s) const override {
    return design_.energy(x_before, x, duration_s);
  }

 private:
  void add_term(std::size_t j, const UnitErrors& errors, std::size_t first, std::span<const float> in,
                std::span<float> sum) const {
    const GateTerm& term = design_.terms[j];
    Chunk shift{}, gain_error{};
    spread(errors, term.shift_plane, first, in.size(), shift);
    spread(errors, term.gain_plane, first, in.size(), gain_error);
    add_curve(tables_[j], term.times_x, static_cast<float>(term.gain), in, std::span(shift).first(in.size()),
              std::span(gain_error).first(in.size()), sum);
  }

  /// The plane's values for elements first .. first + size - 1; zeros where there is none.
  static void spread(const UnitErrors& errors, const std::optional<std::size_t>& plane, std::size_t first,
                     std::size_t size, Chunk& values) {
    if (!plane || errors.units == 0) return;
    const std::span<const float> of_units = errors.plane(*plane);
    std::size_t unit = first % of_units.size();
    for (std::size_t i = 0; i < size; unit = 0) {
      const std::size_t run = std::min(size - i, of_units.size() - unit);
      std::copy_n(of_units.data() + unit, run, values.data() + i);
      i += run;
    }
  }

  void add_noise(const Stream& stream, std::uint64_t first_element, std::span<const float> in,
                 std::span<float> sum) const {
    Chunk draws, sigma{}, none{};
    const std::span<float> normal(draws.data(), in.size()), deviation(sigma.data(), in.size());
    stream.normals(first_element, normal);
    add_curve(noise_, false, 1, in, std::span(none).first(in.size()), std::span(none).first(in.size()), deviation);
    for (std::size_t i = 0; i < in.size(); ++i) sum[i] += sigma[i] * draws[i];
  }

  void measure_table_error() {
    std::vector<float> x, y;
    // Places that fall differently into each piece.
    const double step = 0.37 / steps_per_x;
    const auto count = static_cast<int>((design_.limits.x_high - design_.limits.x_low) / step);
    for (int k = 0; k <= count; ++k) x.push_back(static_cast<float>(design_.limits.x_low + k * step));
    y.resize(x.size());
    evaluate(x, {}, nullptr, 0, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      table_error_ = std::max(table_error_, std::abs(static_cast<double>(y[i]) - transfer(static_cast<double>(x[i]))));
    }
  }

  TabulatedDesign design_;
  std::vector<CurveTable> tables_;
  CurveTable noise_;
  double table_error_ = 0;
};

}  // namespace

std::unique_ptr<FrontEnd> make_tabulated_gate(TabulatedDesign design) {
  return std::make_unique<TabulatedGate>(std::move(design));
}

}  // namespace tellegen::circuits
