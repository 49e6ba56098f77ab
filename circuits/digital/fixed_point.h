#pragma once
// Numbers as digital units hold them: two's complement with a binary point.

#include <cstdint>

namespace tellegen::circuits {

/// A word of `bits` bits of which `fraction` stand behind the point (negative: below the last bit are zeros).
struct FixedPoint {
  int bits = 8;
  int fraction = 4;
  bool is_signed = true;

  std::int64_t lowest() const { return is_signed ? -(std::int64_t{1} << (bits - 1)) : 0; }
  std::int64_t highest() const { return (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1; }
  double step() const;
  double value(std::int64_t code) const;
  /// Nearest word, ties to even, saturated; what is not a number takes the highest.
  std::int64_t code(double x) const;
};

/// The word with the finest step that still holds every value from `low` to `high`; signed where low < 0.
FixedPoint format_for(double low, double high, int bits);

/// code / 2^shift rounded to the nearest, halves up (an adder and a shifter); a negative shift multiplies.
std::int64_t shift_right_rounded(std::int64_t code, int shift);

}  // namespace tellegen::circuits
