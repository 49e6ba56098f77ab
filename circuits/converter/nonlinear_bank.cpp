#include "tellegen/circuits/converter/nonlinear_bank.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// Draws of the ramp that all lines share; comparators take those of AdcBank's converters.
constexpr std::uint64_t kRampDraws = std::uint64_t{1} << 61;

}  // namespace

void NonlinearAdcConfig::settings(Settings& v) {
  v("method", method,
    "count: a shared ramp with a step for each change of the code, counted up and down; table: a linear converter and "
    "a table of codes");
  v("input_bits", input_bits, "method table: resolution of the linear converter; none: one bit more than adc.bits",
    between(1, 16));
  v("ramp_clock", ramp_clock, "method count: steps of the ramp per second", between(units::Hz, 1000 * units::GHz));
}

std::optional<NonlinearAdc> NonlinearBank::shape(const Design& design) {
  TELLEGEN_ASSERT(design.low_A < design.high_A && design.x_per_A > 0);
  if (design.bits == 0) return std::nullopt;
  return NonlinearAdc({design.function, design.method, design.bits, design.input_bits, design.low_A * design.x_per_A,
                       design.high_A * design.x_per_A});
}

NonlinearBank::NonlinearBank(const Design& design, const Stream& mismatch)
    : NonlinearBank(design, shape(design), mismatch) {}

NonlinearBank::NonlinearBank(const Design& design, std::optional<NonlinearAdc> shaped, const Stream& mismatch)
    : design_(design), adc_(std::move(shaped)) {
  TELLEGEN_ASSERT(design.lines >= 1);
  if (!adc_) return;
  low_x_ = adc_->design().low;
  step_x_ = (adc_->design().high - low_x_) / (std::ldexp(1.0, design.bits) - 1);
  if (!design.errors.any()) return;
  if (design.method == NonlinearMethod::count) {
    make_comparators(mismatch);
    return;
  }
  const Quantiser linear{QuantiserKind::mid_rise, {design.input_bits}, design.low_A, design.high_A};
  linear_.emplace(AdcBank::Design{design.kind, design.errors, design.calibration, design.columns_per_adc, design.lines},
                  linear, mismatch);
  draws_ = linear_->draws();
}

void NonlinearBank::make_comparators(const Stream& mismatch) {
  const AdcErrors& errors = design_.errors;
  if (design_.calibration == AdcCalibration::table) {
    throw InputError(
        "chip.adc.calibration = 'table' gives each code a value of its own, and a ramp that computes an activation has "
        "no digital step for that. Take none, offset or offset_gain, or set chip.nonlinear_adc.method: table.");
  }
  const std::span<const double> thresholds = adc_->thresholds();
  const std::vector<double> ideal(thresholds.begin(), thresholds.end());
  adc_ = adc_->with_ramp_mismatch(errors.mismatch, step_x_, mismatch, kRampDraws);
  for (int line = 0; line < design_.lines; ++line) {
    const std::vector<float> own = converter_draws(mismatch, static_cast<std::uint64_t>(line), 0, 2);
    Comparator comparator;
    comparator.offset = errors.offset * static_cast<double>(own[0]);
    comparator.gain = 1 + errors.gain * static_cast<double>(own[1]);
    calibrate(comparator, ideal);
    comparators_.push_back(comparator);
  }
  late_steps_ = design_.calibration == AdcCalibration::none ? static_cast<std::int64_t>(errors.delay) : 0;
  draws_ = errors.noise > 0 ? 1 : 0;
}

double NonlinearBank::seen(double position, const Comparator& comparator) const {
  const double span = std::ldexp(1.0, design_.bits) - 1;
  const double p = position * comparator.gain + comparator.offset;
  const double u = std::clamp(p / span, 0.0, 1.0);
  const double bent = p + design_.errors.curvature * span * u * (1 - u);
  return (bent - comparator.zero) / comparator.slope;
}

/// A straight line through how far each threshold is missed, `ideal` being where they should lie.
void NonlinearBank::calibrate(Comparator& comparator, std::span<const double> ideal) const {
  if (design_.calibration == AdcCalibration::none || ideal.empty()) return;
  const std::span<const double> actual = adc_->thresholds();
  const auto count = static_cast<double>(ideal.size());
  double sum = 0, sum_p = 0, sum_pp = 0, sum_pm = 0;
  for (std::size_t i = 0; i < ideal.size(); ++i) {
    const double p = (ideal[i] - low_x_) / step_x_;
    const double missed = seen(p, comparator) - (actual[i] - low_x_) / step_x_;
    sum += missed;
    sum_p += p;
    sum_pp += p * p;
    sum_pm += p * missed;
  }
  const double spread = sum_pp - sum_p * sum_p / count;
  const bool slope_too = design_.calibration == AdcCalibration::offset_gain && spread > 0;
  const double slope = slope_too ? (sum_pm - sum_p * sum / count) / spread : 0;
  comparator.slope = 1 + slope;
  comparator.zero = (sum - slope * sum_p) / count;
}

double NonlinearBank::count(double x, int line, std::span<const float> normals) const {
  const double span = std::ldexp(1.0, design_.bits) - 1;
  const double p = (x - low_x_) / step_x_;
  // Far outside only saturates; what is not a number takes the upper end.
  double at = seen(p < 2 * span ? std::max(p, -span) : 2 * span, comparators_[static_cast<std::size_t>(line)]);
  if (!normals.empty()) at += design_.errors.noise * static_cast<double>(normals[0]);
  return adc_->value(adc_->code(low_x_ + at * step_x_, late_steps_));
}

double NonlinearBank::convert(double current_A, int line, std::span<const float> normals) const {
  const double x = design_.x_per_A * current_A;
  if (!adc_) return design_.function(x);
  if (!comparators_.empty()) return count(x, line, normals);
  if (linear_) return adc_->convert(design_.x_per_A * linear_->convert(current_A, line, normals));
  return adc_->convert(x);
}

std::int64_t NonlinearBank::ramp_steps() const {
  return adc_ && design_.method == NonlinearMethod::count ? adc_->steps() : 0;
}

}  // namespace tellegen::circuits
