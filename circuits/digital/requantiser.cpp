#include "tellegen/circuits/digital/requantiser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

Requantiser::Requantiser(double scale, int multiplier_bits, const FixedPoint& output)
    : multiplier_bits_(multiplier_bits), output_(output) {
  if (!(scale > 0) || !std::isfinite(scale) || multiplier_bits < 2 || multiplier_bits > 31) {
    throw InputError(
        fmt::format("a requantiser by {} with a multiplier of {} bits cannot be made; the scale is above 0, the "
                    "multiplier has 2 to 31 "
                    "bits.",
                    scale, multiplier_bits));
  }
  int exponent = 0;
  const double mantissa = std::frexp(scale, &exponent);  // 1/2 <= mantissa < 1
  multiplier_ = std::llround(std::ldexp(mantissa, multiplier_bits));
  shift_ = multiplier_bits - exponent;
  if (multiplier_ == std::int64_t{1} << multiplier_bits) {  // rounded up to one bit more
    multiplier_ /= 2;
    --shift_;
  }
}

std::int64_t Requantiser::code(std::int64_t accumulator) const {
  return std::clamp(shift_right_rounded(accumulator * multiplier_, shift_), output_.lowest(), output_.highest());
}

double Requantiser::scale() const { return std::ldexp(static_cast<double>(multiplier_), -shift_); }

Price price(const Requantiser& requantiser, int accumulator_bits, const CostModel& costs, Length node) {
  const int bits = std::max(accumulator_bits, requantiser.multiplier_bits());
  return combine({{"multiply", costs.multiply(bits, node)}, {"round", costs.add(bits, node)}});
}

}  // namespace tellegen::circuits
