#pragma once
// Scaling of an accumulator to an output word: one multiplication by a whole number, one rounding shift. Bit-true.

#include <cstdint>

#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/circuits/digital/fixed_point.h"

namespace tellegen::circuits {

class Requantiser {
 public:
  /// `scale`: output words per accumulator unit, above 0; the multiplier has `multiplier_bits` bits (2 to 31). Throws
  /// InputError for others.
  Requantiser(double scale, int multiplier_bits, const FixedPoint& output);
  std::int64_t code(std::int64_t accumulator) const;
  /// The scale that multiplier and shift stand for: within 2^-multiplier_bits of the one asked for, relatively.
  double scale() const;
  std::int64_t multiplier() const { return multiplier_; }
  int multiplier_bits() const { return multiplier_bits_; }

 private:
  std::int64_t multiplier_ = 1;
  int shift_ = 0, multiplier_bits_;
  FixedPoint output_;
};

/// Per word, of an accumulator of `accumulator_bits`.
Price price(const Requantiser& requantiser, int accumulator_bits, const CostModel& costs, Length node);

}  // namespace tellegen::circuits
