#include "tellegen/circuits/digital/softmax_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/price_multiple.h"

namespace tellegen::circuits {
SoftmaxUnit::SoftmaxUnit(const SoftmaxDesign& design) : design_(design) {
  const auto fits = [](int bits) { return bits >= 2 && bits <= 16; };
  const FixedPoint& in = design.input;
  if (in.bits < 1 || in.bits > 16 || in.fraction < 0 || in.fraction > 12 || !fits(design.power_bits) ||
      !fits(design.reciprocal_bits) || !fits(design.output_bits)) {
    throw InputError(
        fmt::format("a softmax of {} input bits ({} behind the point), {} power bits, {} reciprocal bits and {} output "
                    "bits cannot be "
                    "made; inputs have 1 to 16 bits, 0 to 12 behind the point, the others 2 to 16.",
                    in.bits, in.fraction, design.power_bits, design.reciprocal_bits, design.output_bits));
  }
  for (int i = 0; i < (1 << in.fraction); ++i)
    powers_.push_back(std::llround(std::exp2(design.power_bits - std::ldexp(i, -in.fraction))));
  for (int i = 0; i < (1 << design.reciprocal_bits); ++i) {
    const double mantissa = 1 + std::ldexp(i + 0.5, -design.reciprocal_bits);
    reciprocals_.push_back(std::llround(std::exp2(design.reciprocal_bits + 1) / mantissa));
  }
}

std::int64_t SoftmaxUnit::power(std::int64_t distance) const {
  const int fraction = design_.input.fraction;
  const std::int64_t whole = distance >> fraction;
  if (whole > 40) return 0;
  const auto part = static_cast<std::size_t>(distance & ((std::int64_t{1} << fraction) - 1));
  return shift_right_rounded(powers_[part], static_cast<int>(whole));
}

std::vector<std::int64_t> SoftmaxUnit::codes(std::span<const std::int64_t> input_codes) const {
  TELLEGEN_ASSERT(!input_codes.empty());
  const std::int64_t largest = *std::ranges::max_element(input_codes);
  std::vector<std::int64_t> out;
  std::int64_t sum = 0;
  for (const std::int64_t code : input_codes) {
    out.push_back(power(largest - code));
    sum += out.back();
  }
  TELLEGEN_ASSERT(sum > 0);  // the largest element alone is 2^power_bits
  // sum = 2^top (1 + fraction): the bits below the leading one pick the reciprocal.
  const int top = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sum))) - 1;
  const int index_bits = design_.reciprocal_bits;
  const std::int64_t below = sum - (std::int64_t{1} << top);
  const std::int64_t index = top >= index_bits ? below >> (top - index_bits) : below << (index_bits - top);
  const std::int64_t reciprocal = reciprocals_[static_cast<std::size_t>(index)];
  const int shift = top + index_bits + 1 - design_.output_bits;
  const std::int64_t most = (std::int64_t{1} << design_.output_bits) - 1;
  for (std::int64_t& y : out) y = std::min(shift_right_rounded(y * reciprocal, shift), most);
  return out;
}

std::int64_t SoftmaxUnit::stored_bits() const {
  return static_cast<std::int64_t>(powers_.size()) * (design_.power_bits + 1) +
         static_cast<std::int64_t>(reciprocals_.size()) * (design_.reciprocal_bits + 2);
}

Price price(const SoftmaxUnit& unit, int length, const CostModel& costs, Length node) {
  TELLEGEN_ASSERT(length >= 1);
  const SoftmaxDesign& d = unit.design();
  const int sum_bits = d.power_bits + static_cast<int>(std::ceil(std::log2(length)));
  const std::int64_t power_bytes = ((std::int64_t{1} << d.input.fraction) * (d.power_bits + 1) + 7) / 8;
  const std::int64_t reciprocal_bytes = ((std::int64_t{1} << d.reciprocal_bits) * (d.reciprocal_bits + 2) + 7) / 8;
  return combine({{"compare", costs.add(d.input.bits, node)},
                  {"subtract", costs.add(d.input.bits, node)},
                  {"power", multiple(costs.buffer(Access::read, power_bytes, node), d.power_bits + 1, 1, "power_bits")},
                  {"shift", costs.add(d.power_bits, node)},
                  {"accumulate", costs.add(sum_bits, node)},
                  {"reciprocal", multiple(costs.buffer(Access::read, reciprocal_bytes, node),
                                          (d.reciprocal_bits + 2.0) / length, 1, "reciprocal_bits_per_element")},
                  {"multiply", costs.multiply(std::max(d.power_bits, d.reciprocal_bits), node)}});
}

}  // namespace tellegen::circuits
