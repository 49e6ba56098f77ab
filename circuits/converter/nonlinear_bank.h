#pragma once
// The converters of one array where they compute an activation (chip.boundary: nonlinear_adc), each with its own errors.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/adc_bank.h"
#include "tellegen/circuits/converter/nonlinear_adc.h"

namespace tellegen::circuits {

/// Section `chip.nonlinear_adc`.
struct NonlinearAdcConfig {
  NonlinearMethod method = NonlinearMethod::count;
  std::optional<int> input_bits;              ///< of method table; absent: one more than the code has
  Frequency ramp_clock = Frequency::si(1e9);  ///< of method count: steps of the ramp per second
  int input_bits_for(int bits) const { return input_bits.value_or(bits < 16 ? bits + 1 : 16); }
  void settings(Settings& v);
};

/// count: one ramp for all lines and a comparator for each: `mismatch` is the ramp's, `offset`, `gain` and `noise` are the
/// comparators', all in steps of a linear converter of as many bits. table: linear converters of `kind`, a converter for
/// columns_per_adc lines, and a table for each. Immutable.
class NonlinearBank {
 public:
  struct Design {
    ScalarFunction function = ActivationFunction::sigmoid;
    NonlinearMethod method = NonlinearMethod::count;
    int bits = 8;        ///< of the code; 0: ideal, the function itself
    int input_bits = 9;  ///< of method table
    double low_A = -1, high_A = 1;
    double x_per_A = 1;  ///< what the function takes: x_per_A times the current
    std::string kind = "sar";
    AdcErrors errors;
    AdcCalibration calibration = AdcCalibration::none;
    int columns_per_adc = 1;
    int lines = 1;
  };
  /// `mismatch`: stream of this array's converters. Throws InputError where calibration is `table` and the method count.
  NonlinearBank(const Design& design, const Stream& mismatch);
  /// The same where the converter that all of a design start from is there already.
  NonlinearBank(const Design& design, std::optional<NonlinearAdc> shaped, const Stream& mismatch);
  /// That converter: without errors; nothing where bits are ideal.
  static std::optional<NonlinearAdc> shape(const Design& design);

  /// Value of the function for one line's current, as its code says it; `normals`: draws() of them, or none for a conversion
  /// without noise.
  double convert(double current_A, int line, std::span<const float> normals) const;
  /// Normals that one conversion takes; 0 where there is no noise.
  int draws() const { return draws_; }
  /// Steps of the ramp, which every conversion of method count takes; else 0.
  std::int64_t ramp_steps() const;

 private:
  struct Comparator {
    double offset = 0, gain = 1;  ///< in steps; relative
    double zero = 0, slope = 1;   ///< what calibration found: position = (seen - zero) / slope
  };
  void make_comparators(const Stream& mismatch);
  void calibrate(Comparator& comparator, std::span<const double> ideal) const;
  double seen(double position, const Comparator& comparator) const;
  double count(double x, int line, std::span<const float> normals) const;

  Design design_;
  std::optional<NonlinearAdc> adc_;  ///< absent: ideal
  std::optional<AdcBank> linear_;    ///< of method table with errors
  std::vector<Comparator> comparators_;
  double low_x_ = 0, step_x_ = 1;  ///< of a linear converter of as many bits
  std::int64_t late_steps_ = 0;
  int draws_ = 0;
};

}  // namespace tellegen::circuits
