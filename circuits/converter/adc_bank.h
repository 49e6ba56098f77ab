#pragma once
// The converters of one array, each with its own errors, and the lines that take turns on them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/adc_circuit.h"
#include "tellegen/circuits/converter/adc_errors.h"
#include "tellegen/circuits/converter/quantiser.h"

namespace tellegen::circuits {

/// Line j is converted by converter j / columns_per_adc. Immutable.
class AdcBank {
 public:
  struct Design {
    std::string kind;
    AdcErrors errors;
    AdcCalibration calibration = AdcCalibration::none;
    int columns_per_adc = 1;
    int lines = 1;
  };
  /// `quantiser`: what it would be without errors. `mismatch`: stream of this array's converters.
  AdcBank(const Design& design, const Quantiser& quantiser, const Stream& mismatch);

  int converters() const { return static_cast<int>(converters_.size()); }
  /// Normals that one conversion takes; 0 where there is no noise.
  int draws() const { return draws_; }
  /// Converted value of x on one line; `normals`: draws() of them, or none for a conversion without noise.
  double convert(double x, int line, std::span<const float> normals) const;
  /// Signed (sign_magnitude) or unsigned code.
  std::int64_t code(double x, int converter, std::span<const float> normals) const;

 private:
  struct Converter {
    std::shared_ptr<const AdcCircuit> circuit;
    double offset = 0, gain = 1;    ///< in steps; relative
    double zero = 0, slope = 1;     ///< what calibration found: position = (code position - zero) / slope
    std::vector<double> positions;  ///< calibration `table`: by code, from the lowest
  };
  std::int64_t code(double x, const Converter& converter, std::span<const float> normals) const;
  void calibrate(Converter& converter) const;
  void tabulate(Converter& converter) const;
  std::int64_t lowest_code() const;
  /// Where the value of a code stands, in steps from the quantiser's origin.
  double position(std::int64_t code) const;
  double input_at(double position) const;

  Design design_;
  Quantiser quantiser_;
  int core_bits_;
  int draws_ = 0;
  std::vector<Converter> converters_;
};

}  // namespace tellegen::circuits
