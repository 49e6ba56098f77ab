#include "tellegen/circuits/digital/piecewise_linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// y = offset + slope t over the words t = 0 .. of a segment, and its largest error.
struct Line {
  double slope = 0, offset = 0, error = 0;
};

/// The chord, moved to the middle of its error: `values` are the function over the segment's words.
Line best_line(std::span<const double> values) {
  const std::size_t words = values.size();
  Line line;
  if (words > 1) line.slope = (values[words - 1] - values[0]) / static_cast<double>(words - 1);
  double least = values[0], greatest = values[0];
  for (std::size_t t = 1; t < words; ++t) {
    const double above = values[t] - line.slope * static_cast<double>(t);
    least = std::min(least, above);
    greatest = std::max(greatest, above);
  }
  line.offset = (least + greatest) / 2;
  line.error = (greatest - least) / 2;
  return line;
}

std::vector<std::int64_t> even_starts(std::size_t words, int segments) {
  std::vector<std::int64_t> starts;
  starts.reserve(static_cast<std::size_t>(segments));
  for (int s = 0; s < segments; ++s) starts.push_back(static_cast<std::int64_t>(words) * s / segments);
  return starts;
}

/// Segments from the left, each as wide as `error` lets it be (the widest of a doubling search); at most `most` + 1 of them.
std::vector<std::int64_t> starts_within(std::span<const double> values, double error, std::size_t most) {
  std::vector<std::int64_t> starts;
  std::size_t first = 0;
  while (first < values.size() && starts.size() <= most) {
    starts.push_back(static_cast<std::int64_t>(first));
    const std::size_t left = values.size() - first;
    const auto fits = [&](std::size_t words) { return best_line(values.subspan(first, words)).error <= error; };
    std::size_t good = 1, bad = 2;
    while (bad <= left && fits(bad)) {
      good = bad;
      bad *= 2;
    }
    bad = std::min(bad, left + 1);
    while (bad - good > 1) {
      const std::size_t middle = (good + bad) / 2;
      (fits(middle) ? good : bad) = middle;
    }
    first += good;
  }
  return starts;
}

/// The least error that `segments` segments reach.
std::vector<std::int64_t> adaptive_starts(std::span<const double> values, int segments) {
  const std::size_t most = static_cast<std::size_t>(segments);
  double low = 0, high = best_line(values).error;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (starts_within(values, middle, most).size() <= most ? high : low) = middle;
  }
  return starts_within(values, high, most);
}

void check(const PiecewiseLinearDesign& d) {
  const bool fits = d.input.bits >= 1 && d.input.bits <= 16 && d.output_bits >= 2 && d.output_bits <= 16 &&
                    d.coefficient_bits >= 2 && d.coefficient_bits <= 24;
  if (fits && d.segments >= 1 && d.segments <= (1 << d.input.bits)) return;
  throw InputError(
      fmt::format("{} segments for {} input bits, {} output bits and {} coefficient bits cannot be made; there is at "
                  "most one segment "
                  "per input word, inputs have 1 to 16 bits, outputs 2 to 16, coefficients 2 to 24.",
                  d.segments, d.input.bits, d.output_bits, d.coefficient_bits));
}

}  // namespace

std::span<const std::pair<SegmentPlacement, const char*>> enum_names(SegmentPlacement) {
  static constexpr std::array names{std::pair{SegmentPlacement::even, "even"},
                                    std::pair{SegmentPlacement::adaptive, "adaptive"}};
  return names;
}

PiecewiseLinear::PiecewiseLinear(const PiecewiseLinearDesign& design) : design_(design) {
  check(design);
  const FixedPoint& input = design.input;
  std::vector<double> values;
  for (std::int64_t code = input.lowest(); code <= input.highest(); ++code)
    values.push_back(evaluate(design.function, input.value(code)));
  starts_ = design.placement == SegmentPlacement::even ? even_starts(values.size(), design.segments)
                                                       : adaptive_starts(values, design.segments);
  std::vector<Line> lines;
  for (std::size_t s = 0; s < starts_.size(); ++s) {
    const auto first = static_cast<std::size_t>(starts_[s]);
    const std::size_t end = s + 1 < starts_.size() ? static_cast<std::size_t>(starts_[s + 1]) : values.size();
    lines.push_back(best_line(std::span(values).subspan(first, end - first)));
  }
  const auto format_of = [&](double Line::*part) {
    const auto [least, greatest] = std::ranges::minmax(lines, {}, part);
    return format_for(least.*part, greatest.*part, design.coefficient_bits);
  };
  slope_ = format_of(&Line::slope);
  offset_ = format_of(&Line::offset);
  const auto [low, high] = std::ranges::minmax(values);
  output_ = format_for(low, high, design.output_bits);
  for (const Line& line : lines) segments_.push_back({slope_.code(line.slope), offset_.code(line.offset)});
}

bool PiecewiseLinear::picked_by_upper_bits() const {
  return design_.placement == SegmentPlacement::even && std::has_single_bit(static_cast<unsigned>(design_.segments));
}

std::int64_t PiecewiseLinear::code(std::int64_t input_code) const {
  const std::int64_t word = input_code - design_.input.lowest();
  const auto s = static_cast<std::size_t>(std::ranges::upper_bound(starts_, word) - starts_.begin() - 1);
  const std::int64_t t = word - starts_[s];
  // The sum at the finer of the two points, then one rounding to the output word.
  const int fraction = std::max(slope_.fraction, offset_.fraction);
  const std::int64_t sum = shift_right_rounded(segments_[s].slope * t, slope_.fraction - fraction) +
                           shift_right_rounded(segments_[s].offset, offset_.fraction - fraction);
  return std::clamp(shift_right_rounded(sum, fraction - output_.fraction), output_.lowest(), output_.highest());
}

}  // namespace tellegen::circuits
