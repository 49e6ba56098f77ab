#include "tellegen/circuits/converter/adc_bank.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// Inputs that a straight line is fitted through, over the inner half of the range: with gain and offset the ends saturate.
constexpr int kFitPoints = 257;
constexpr double kFitShare = 0.5;
/// Inputs per step where a table of codes is measured.
constexpr int kPointsPerStep = 16;
/// Beyond its range by more steps than this an input only saturates.
constexpr double kBeyond = 8;

}  // namespace

AdcBank::AdcBank(const Design& design, const Quantiser& quantiser, const Stream& mismatch)
    : design_(design),
      quantiser_(quantiser),
      core_bits_(quantiser.resolution.bits - (quantiser.kind == QuantiserKind::sign_magnitude ? 1 : 0)) {
  TELLEGEN_ASSERT(!quantiser.resolution.ideal() && design.lines >= 1 && design.columns_per_adc >= 1);
  const int count = (design.lines + design.columns_per_adc - 1) / design.columns_per_adc;
  for (int c = 0; c < count; ++c) {
    Converter converter;
    const auto number = static_cast<std::uint64_t>(c);
    converter.circuit = make_adc_circuit(design.kind, core_bits_, design.errors, mismatch, number);
    const std::vector<float> own = converter_draws(mismatch, number, 0, 2);
    if (!has_many_comparators(design.kind)) converter.offset = design.errors.offset * static_cast<double>(own[0]);
    converter.gain = 1 + design.errors.gain * static_cast<double>(own[1]);
    calibrate(converter);
    converters_.push_back(std::move(converter));
  }
  if (design.errors.noise > 0) draws_ = converters_.front().circuit->draws();
}

std::int64_t AdcBank::lowest_code() const {
  return quantiser_.kind == QuantiserKind::sign_magnitude ? -(quantiser_.levels() / 2) : 0;
}

double AdcBank::position(std::int64_t code) const {
  return static_cast<double>(code) + (quantiser_.kind == QuantiserKind::mid_rise ? 0.5 : 0.0);
}

double AdcBank::input_at(double position) const {
  const double origin = quantiser_.kind == QuantiserKind::sign_magnitude ? 0 : quantiser_.low;
  return origin + position * quantiser_.step();
}

std::int64_t AdcBank::code(double x, const Converter& converter, std::span<const float> normals) const {
  const bool folded = quantiser_.kind == QuantiserKind::sign_magnitude;
  const double origin = folded ? 0 : quantiser_.low;
  const double span =
      folded ? std::ldexp(1.0, core_bits_) - 1 : (quantiser_.high - origin) * quantiser_.codes_per_unit();
  const double low = folded ? -span - kBeyond : -kBeyond;
  double p = (x - origin) * quantiser_.codes_per_unit();
  p = p < span + kBeyond ? std::max(p, low) : span + kBeyond;  // what is not a number takes the upper end
  p = p * converter.gain + converter.offset;
  const double magnitude = folded ? std::abs(p) : p;
  const double u = std::clamp(magnitude / span, 0.0, 1.0);
  const double seen = magnitude + design_.errors.curvature * span * u * (1 - u);
  const double half = quantiser_.kind == QuantiserKind::mid_rise ? 0.0 : 0.5;
  const std::int64_t code = converter.circuit->code(seen + half, normals);
  return folded && p < 0 ? -code : code;
}

std::int64_t AdcBank::code(double x, int converter, std::span<const float> normals) const {
  return code(x, converters_[static_cast<std::size_t>(converter)], normals);
}

double AdcBank::convert(double x, int line, std::span<const float> normals) const {
  const Converter& converter = converters_[static_cast<std::size_t>(line / design_.columns_per_adc)];
  const std::int64_t found = code(x, converter, normals);
  const double at = converter.positions.empty() ? (position(found) - converter.zero) / converter.slope
                                                : converter.positions[static_cast<std::size_t>(found - lowest_code())];
  return input_at(at);
}

void AdcBank::calibrate(Converter& converter) const {
  if (design_.calibration == AdcCalibration::none) return;
  if (design_.calibration == AdcCalibration::table) return tabulate(converter);
  const double first = position(lowest_code()), last = position(lowest_code() + quantiser_.levels() - 1);
  const double middle = (first + last) / 2, reach = kFitShare * (last - first) / 2;
  double sum = 0, sum_ramp = 0, sum_squares = 0;
  for (int i = 0; i < kFitPoints; ++i) {
    const double t = 2.0 * i / (kFitPoints - 1) - 1;
    const double at = middle + reach * t;
    const double found = position(code(input_at(at), converter, {}));
    sum += found - at;
    sum_ramp += t * (found - at);
    sum_squares += t * t;
  }
  const double mean_error = sum / kFitPoints;
  if (design_.calibration == AdcCalibration::offset_gain) converter.slope = 1 + sum_ramp / sum_squares / reach;
  converter.zero = mean_error - (converter.slope - 1) * middle;
}

void AdcBank::tabulate(Converter& converter) const {
  const std::size_t levels = static_cast<std::size_t>(quantiser_.levels());
  std::vector<double> sums(levels, 0.0);
  std::vector<std::int64_t> counts(levels, 0);
  const double first = position(lowest_code()) - 0.5;
  const std::int64_t points = static_cast<std::int64_t>(levels) * kPointsPerStep;
  for (std::int64_t i = 0; i < points; ++i) {
    const double at = first + (static_cast<double>(i) + 0.5) / kPointsPerStep;
    const auto found = static_cast<std::size_t>(code(input_at(at), converter, {}) - lowest_code());
    sums[found] += at;
    ++counts[found];
  }
  converter.positions.resize(levels);
  for (std::size_t i = 0; i < levels; ++i) {
    const double plain = position(lowest_code() + static_cast<std::int64_t>(i));  // of a code that never comes
    converter.positions[i] = counts[i] > 0 ? sums[i] / static_cast<double>(counts[i]) : plain;
  }
}

}  // namespace tellegen::circuits
