#include "tellegen/circuits/digital/piecewise_linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// y = offset + slope t over the words t = 0 .. words - 1 of a segment.
struct Line {
  double slope = 0, offset = 0;
};

Line best_line(ActivationFunction function, const FixedPoint& input, std::int64_t first, std::int64_t words) {
  const auto at = [&](std::int64_t t) { return evaluate(function, input.value(first + t)); };
  Line line;
  if (words > 1) line.slope = (at(words - 1) - at(0)) / static_cast<double>(words - 1);
  double least = at(0), greatest = at(0);
  for (std::int64_t t = 1; t < words; ++t) {
    const double above = at(t) - line.slope * static_cast<double>(t);
    least = std::min(least, above);
    greatest = std::max(greatest, above);
  }
  line.offset = (least + greatest) / 2;
  return line;
}

void check(const PiecewiseLinearDesign& d) {
  const bool fits = d.input.bits >= 1 && d.input.bits <= 16 && d.output_bits >= 2 && d.output_bits <= 16 &&
                    d.coefficient_bits >= 2 && d.coefficient_bits <= 24;
  const bool segmented =
      d.segments >= 1 && std::has_single_bit(static_cast<unsigned>(d.segments)) && d.segments <= (1 << d.input.bits);
  if (fits && segmented) return;
  throw InputError(
      fmt::format("{} segments for {} input bits, {} output bits and {} coefficient bits cannot be made; segments are "
                  "a power of two, "
                  "at most one per input word, inputs have 1 to 16 bits, outputs 2 to 16, coefficients 2 to 24.",
                  d.segments, d.input.bits, d.output_bits, d.coefficient_bits));
}

}  // namespace

PiecewiseLinear::PiecewiseLinear(const PiecewiseLinearDesign& design) : design_(design) {
  check(design);
  words_per_segment_log2_ = design.input.bits - std::countr_zero(static_cast<unsigned>(design.segments));
  const std::int64_t words = std::int64_t{1} << words_per_segment_log2_;
  std::vector<Line> lines;
  for (int s = 0; s < design.segments; ++s)
    lines.push_back(best_line(design.function, design.input, design.input.lowest() + s * words, words));

  const auto format_of = [&](double Line::*part) {
    const auto [least, greatest] = std::ranges::minmax(lines, {}, part);
    return format_for(least.*part, greatest.*part, design.coefficient_bits);
  };
  slope_ = format_of(&Line::slope);
  offset_ = format_of(&Line::offset);
  const auto [low, high] = value_range(design.function, design.input.value(design.input.lowest()),
                                       design.input.value(design.input.highest()));
  output_ = format_for(low, high, design.output_bits);
  for (const Line& line : lines) segments_.push_back({slope_.code(line.slope), offset_.code(line.offset)});
}

std::int64_t PiecewiseLinear::code(std::int64_t input_code) const {
  const std::int64_t word = input_code - design_.input.lowest();
  const Segment& segment = segments_[static_cast<std::size_t>(word >> words_per_segment_log2_)];
  const std::int64_t t = word & ((std::int64_t{1} << words_per_segment_log2_) - 1);
  // The sum at the finer of the two points, then one rounding to the output word.
  const int fraction = std::max(slope_.fraction, offset_.fraction);
  const std::int64_t sum = shift_right_rounded(segment.slope * t, slope_.fraction - fraction) +
                           shift_right_rounded(segment.offset, offset_.fraction - fraction);
  return std::clamp(shift_right_rounded(sum, fraction - output_.fraction), output_.lowest(), output_.highest());
}

}  // namespace tellegen::circuits
