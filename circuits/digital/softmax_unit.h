#pragma once
// Softmax to base 2 with tables: y_i = 2^(x_i - max) / sum_j 2^(x_j - max). A softmax to base e is the same of x log2(e): the
// factor belongs into the scale of the inputs. Bit-true.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/circuits/digital/fixed_point.h"

namespace tellegen::circuits {

struct SoftmaxDesign {
  FixedPoint input{8, 4, true};
  int power_bits = 10;      ///< of 2^-fraction in the table, and of the powers that are added
  int reciprocal_bits = 8;  ///< index of the table of reciprocals, and its words have this many bits and one more
  int output_bits = 8;      ///< y in units of 2^-output_bits; 1 saturates
};

class SoftmaxUnit {
 public:
  /// Throws InputError unless the input has 1 to 16 bits of which 0 to 12 are fraction, and the others 2 to 16.
  explicit SoftmaxUnit(const SoftmaxDesign& design);
  /// Output words of one vector of input words (not empty).
  std::vector<std::int64_t> codes(std::span<const std::int64_t> input_codes) const;
  const SoftmaxDesign& design() const { return design_; }
  std::int64_t stored_bits() const;

 private:
  std::int64_t power(std::int64_t distance) const;  ///< 2^-distance in units of 2^-power_bits
  SoftmaxDesign design_;
  std::vector<std::int64_t> powers_;       ///< 2^-(i 2^-fraction)
  std::vector<std::int64_t> reciprocals_;  ///< 2^(reciprocal_bits + 1) / (1 + (i + 1/2) 2^-reciprocal_bits)
};

/// Per element of a vector of `length`: compare, subtract, one power, one shift as an addition, accumulate, multiply by the
/// shared reciprocal, whose read is shared.
Price price(const SoftmaxUnit& unit, int length, const CostModel& costs, Length node);

}  // namespace tellegen::circuits
