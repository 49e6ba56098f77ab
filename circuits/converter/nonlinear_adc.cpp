#include "tellegen/circuits/converter/nonlinear_adc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// Input at which a function that is monotone on [low, high] takes the value y, to the last bit.
double crossing(const ScalarFunction& function, double low, double high, double y) {
  const bool rising = function(high) > function(low);
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    ((function(middle) < y) == rising ? low : high) = middle;
  }
}

}  // namespace

std::span<const std::pair<NonlinearMethod, const char*>> enum_names(NonlinearMethod) {
  static constexpr std::array names{std::pair{NonlinearMethod::count, "count"},
                                    std::pair{NonlinearMethod::table, "table"}};
  return names;
}

NonlinearAdc::NonlinearAdc(const NonlinearAdcDesign& design) : design_(design) {
  const auto fits = [](int bits) { return bits >= 1 && bits <= 16; };
  const bool table = design.method == NonlinearMethod::table;
  if (!(design.low < design.high) || !fits(design.bits) || (table && !fits(design.input_bits))) {
    throw InputError(fmt::format(
        "a non-linear ADC from {} to {} with {} output bits{} cannot be made; the range must ascend, and bits are 1 to "
        "16.",
        design.low, design.high, design.bits, table ? fmt::format(" and {} input bits", design.input_bits) : ""));
  }
  const auto [least, greatest] = design.function.range(design.low, design.high);
  least_ = least;
  const double span = greatest > least ? greatest - least : 1;  // a function that is constant here has one code
  step_ = span / (std::ldexp(1.0, design.bits) - 1);
  design.method == NonlinearMethod::count ? place_count() : place_table();
}

std::int64_t NonlinearAdc::nearest_code(double y) const {
  return std::clamp(static_cast<std::int64_t>(std::floor((y - least_) / step_ + 0.5)), std::int64_t{0},
                    (std::int64_t{1} << design_.bits) - 1);
}

void NonlinearAdc::place_count() {
  std::vector<double> ends{design_.low};
  for (const double at : design_.function.turning_points()) {
    if (at > design_.low && at < design_.high) ends.push_back(at);
  }
  ends.push_back(design_.high);
  codes_.push_back(nearest_code(design_.function(design_.low)));
  for (std::size_t piece = 0; piece + 1 < ends.size(); ++piece) {
    const std::int64_t last = nearest_code(design_.function(ends[piece + 1]));
    const std::int64_t direction = last > codes_.back() ? 1 : -1;
    counts_down_ = counts_down_ || last < codes_.back();
    while (codes_.back() != last) {
      const double between = value(codes_.back()) + 0.5 * static_cast<double>(direction) * step_;
      thresholds_.push_back(crossing(design_.function, ends[piece], ends[piece + 1], between));
      codes_.push_back(codes_.back() + direction);
    }
  }
}

void NonlinearAdc::place_table() {
  const std::int64_t cells = std::int64_t{1} << design_.input_bits;
  const double width = (design_.high - design_.low) / static_cast<double>(cells);
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const double from = design_.low + static_cast<double>(cell) * width;
    if (cell > 0) thresholds_.push_back(from);
    const auto [least, greatest] = design_.function.range(from, from + width);
    codes_.push_back(nearest_code((least + greatest) / 2));
  }
}

NonlinearAdc NonlinearAdc::with_ramp_mismatch(double mismatch, double unit_x, const Stream& stream,
                                              std::uint64_t first) const {
  NonlinearAdc off = *this;
  std::vector<float> draws(thresholds_.size());
  stream.normals(first, draws);
  double error = 0;
  for (std::size_t i = 1; i < draws.size(); ++i) {
    const double units = (thresholds_[i] - thresholds_[i - 1]) / unit_x;
    error += mismatch * unit_x * std::sqrt(units) * static_cast<double>(draws[i]);
    off.thresholds_[i] += error;
  }
  std::ranges::sort(off.thresholds_);
  return off;
}

std::int64_t NonlinearAdc::code(double x) const { return code(x, 0); }

std::int64_t NonlinearAdc::code(double x, std::int64_t late_steps) const {
  const auto met = std::ranges::upper_bound(thresholds_, x) - thresholds_.begin();
  return codes_[static_cast<std::size_t>(std::min(met + late_steps, steps()))];
}

double NonlinearAdc::local_step(double x) const {
  if (design_.method == NonlinearMethod::count) return step_;
  const std::int64_t cells = std::int64_t{1} << design_.input_bits;
  const double width = (design_.high - design_.low) / static_cast<double>(cells);
  const double cell = std::clamp(std::floor((x - design_.low) / width), 0.0, static_cast<double>(cells - 1));
  const auto [least, greatest] = design_.function.range(design_.low + cell * width, design_.low + (cell + 1) * width);
  return greatest - least + step_;
}

std::int64_t NonlinearAdc::stored_bits() const {
  if (design_.method == NonlinearMethod::table) return static_cast<std::int64_t>(codes_.size()) * design_.bits;
  return counts_down_ ? steps() : 0;
}

}  // namespace tellegen::circuits
