#include "tellegen/circuits/digital/fixed_point.h"

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

double FixedPoint::step() const { return std::ldexp(1.0, -fraction); }

double FixedPoint::value(std::int64_t code) const { return std::ldexp(static_cast<double>(code), -fraction); }

std::int64_t FixedPoint::code(double x) const {
  const double scaled = std::ldexp(x, fraction);
  if (!(scaled < static_cast<double>(highest()))) return highest();
  if (scaled <= static_cast<double>(lowest())) return lowest();
  return static_cast<std::int64_t>(std::nearbyint(scaled));
}

FixedPoint format_for(double low, double high, int bits) {
  TELLEGEN_ASSERT(low <= high && bits >= 1 && bits <= 32 && (low >= 0 || bits >= 2));
  FixedPoint format{bits, 0, low < 0};
  const auto holds = [&] {
    return std::nearbyint(std::ldexp(high, format.fraction)) <= static_cast<double>(format.highest()) &&
           std::nearbyint(std::ldexp(low, format.fraction)) >= static_cast<double>(format.lowest());
  };
  if (low == 0 && high == 0) return format;
  while (holds()) ++format.fraction;
  while (!holds()) --format.fraction;
  return format;
}

std::int64_t shift_right_rounded(std::int64_t code, int shift) {
  if (shift <= 0) return code * (std::int64_t{1} << -shift);
  return (code + (std::int64_t{1} << (shift - 1))) >> shift;
}

}  // namespace tellegen::circuits
