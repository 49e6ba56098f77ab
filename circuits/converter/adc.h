#pragma once
// ADC behaviour: range, clipping, quantisation, noise from a stated ENOB; with errors, the decisions of each converter.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/adc_bank.h"
#include "tellegen/circuits/converter/adc_errors.h"
#include "tellegen/circuits/converter/nonlinear_bank.h"
#include "tellegen/circuits/converter/quantiser.h"
#include "tellegen/circuits/crossbar/array.h"

namespace tellegen::circuits {

enum class RangeMethod { max, percentile, analytic, mse };
std::span<const std::pair<RangeMethod, const char*>> enum_names(RangeMethod);

struct RangeConfig {
  RangeMethod method = RangeMethod::percentile;
  double percentile = 99.9;  ///< of |line current| over the calibration samples
  double sigmas = 4.0;       ///< analytic: full scale = sigmas * rms expected from cells and inputs
  void settings(Settings& v);
};

struct AdcConfig {
  std::string kind = "sar";  ///< one of adc_kinds(): picks the cost law, and how `errors` act
  Resolution bits;           ///< 1 to 16, or ideal
  QuantiserKind quantiser = QuantiserKind::sign_magnitude;
  std::optional<double> enob;  ///< below bits: the missing part is white noise added before quantising
  int columns_per_adc = 8;
  Frequency rate = Frequency::si(1e9);  ///< conversions per second of one ADC
  AdcErrors errors;
  AdcCalibration calibration = AdcCalibration::none;  ///< of `errors`
  RangeConfig range;
  void settings(Settings& v);
};

/// The calibrated converters of one array.
struct Adc {
  Quantiser quantiser;
  double noise_A = 0;                              ///< standard deviation of their own noise, from ENOB
  std::shared_ptr<const AdcBank> bank;             ///< where there are errors; absent: all are the quantiser
  int lines = 1;                                   ///< of the array; used with `bank`
  std::shared_ptr<const NonlinearBank> nonlinear;  ///< where they compute an activation: stands in for the quantiser
};
/// Full scale [-full_scale, full_scale] for bipolar lines, [0, full_scale] else. A unipolar line has no sign to spend a
/// bit on: there sign_magnitude is endpoint, whose code 0 is an exact zero. Noise: sigma^2 = (V_FS^2 / 8) / 10^((6.02
/// ENOB + 1.76) / 10) - step^2 / 12, V_FS the width of the range; never below 0.
Adc make_adc(const AdcConfig& config, double full_scale_A, bool bipolar);
/// Part of an array's place that its converters draw from.
inline constexpr std::uint32_t kConverterPart = 0xADC;
/// The same with the errors of the array's converters, drawn from `mismatch`: Stream(seed, Purpose::mismatch, {chip, tile,
/// kConverterPart}).
Adc make_adc(const AdcConfig& config, double full_scale_A, bool bipolar, const Stream& mismatch, int lines);
/// The converters of an array that compute `function` of x_per_A times the current, in the range and with the noise of
/// `linear`, which they replace. Throws InputError where they cannot be calibrated as asked.
Adc make_nonlinear_adc(const AdcConfig& config, const NonlinearAdcConfig& how, const ScalarFunction& function,
                       const Adc& linear, double x_per_A, const Stream& mismatch, int lines);

/// In place: currents become quantised currents, or values of the function that the converters compute. The converter's
/// noise on value i is element first_element + i of `noise` (of decisions: elements of its own from 2^60 on); with errors
/// value i belongs to line (first_element + i) % lines. Every value is one conversion, also of an ideal converter.
template <class T>
ConversionCounts convert(const Adc& adc, std::span<T> currents, const Stream& noise, std::uint64_t first_element,
                         ArrayScratch<T>& scratch);

}  // namespace tellegen::circuits
