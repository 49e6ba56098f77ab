#pragma once
// Elementary functions in double without branches and calls, so that loops over arrays of devices vectorise, and with
// the same bits on every vector unit. Within 3 units in the last place unless stated.

#include <bit>
#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::devices::elementary {

TELLEGEN_KERNEL double larger(double a, double b) { return a > b ? a : b; }
TELLEGEN_KERNEL double smaller(double a, double b) { return a < b ? a : b; }
TELLEGEN_KERNEL double clamp(double x, double low, double high) { return smaller(larger(x, low), high); }
TELLEGEN_KERNEL double magnitude(double x) { return x < 0 ? -x : x; }

/// e^x; x is clamped to -708 .. 709, and exp(0) is exactly 1.
TELLEGEN_KERNEL double exp(double x) {
  x = clamp(x, -708.0, 709.0);
  // Adding 1.5 * 2^52 rounds to the nearest integer, which then stands in the low bits.
  constexpr double round_to_integer = 0x1.8p52;
  const double shifted = x * 0x1.71547652b82fep0 + round_to_integer;
  const double n = shifted - round_to_integer;
  constexpr double ln2_high = 0x1.62e42feep-1;  // 31 bits: n * ln2_high is exact
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  const double r = (x - n * ln2_high) - n * ln2_low;
  // |r| <= ln(2) / 2: the Taylor series after r^13 is below 5e-18.
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) << 52;
  return p * std::bit_cast<double>(exponent + std::bit_cast<std::uint64_t>(1.0));
}

/// Natural logarithm of a positive normal number; ln(1) is exactly 0.
TELLEGEN_KERNEL double ln(double x) {
  // x = 2^e m with m in [sqrt(1/2), sqrt(2)): the offset moves the cut of the binades from 1 to sqrt(1/2).
  constexpr std::uint64_t sqrt_half_bits = 0x3fe6a09e667f3bcdull;
  constexpr std::uint64_t one_bits = 0x3ff0000000000000ull;
  const std::uint64_t shifted = std::bit_cast<std::uint64_t>(x) + (one_bits - sqrt_half_bits);
  // The exponent as the low bits of 2^52 + e + 1023: an integer conversion that vectorises everywhere.
  const double e = std::bit_cast<double>((shifted >> 52) | 0x4330000000000000ull) - (0x1p52 + 1023.0);
  const double m = std::bit_cast<double>((shifted & 0x000fffffffffffffull) + sqrt_half_bits);
  // ln m = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.172: the series after s^21 is below 2e-18.
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double tail = 1.0 / 21;
  tail = tail * s2 + 1.0 / 19;
  tail = tail * s2 + 1.0 / 17;
  tail = tail * s2 + 1.0 / 15;
  tail = tail * s2 + 1.0 / 13;
  tail = tail * s2 + 1.0 / 11;
  tail = tail * s2 + 1.0 / 9;
  tail = tail * s2 + 1.0 / 7;
  tail = tail * s2 + 1.0 / 5;
  tail = tail * s2 + 1.0 / 3;
  tail = tail * s2;
  constexpr double ln2_high = 0x1.62e42feep-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  return e * ln2_high + (2.0 * s + (2.0 * s * tail + e * ln2_low));
}

/// base^exponent for base >= 0; below 1e-300 the base counts as 1e-300. Relative error grows as |exponent ln(base)|.
TELLEGEN_KERNEL double power(double base, double exponent) { return exp(exponent * ln(larger(base, 1e-300))); }

/// base^n for a whole n from 1 to 7, given by its binary digits (0 or 1): cheaper than power().
struct BinaryDigits {
  double ones = 1, twos = 0, fours = 0;
};
TELLEGEN_KERNEL double power(double base, double ones, double twos, double fours) {
  const double square = base * base;
  const double low = (ones > 0 ? base : 1.0) * (twos > 0 ? square : 1.0);
  return low * (fours > 0 ? square * square : 1.0);
}

/// sinh x, exactly odd; x is clamped to -708 .. 708.
TELLEGEN_KERNEL double sinh(double x) {
  const double a = magnitude(x);
  const double e = exp(a);
  const double far = 0.5 * (e - 1.0 / e);
  // Below 1 the difference would cancel: the Taylor series after x^19 is below 3e-20.
  const double x2 = a < 1.0 ? a * a : 1.0;
  double near = 1.0 / 342;
  near = 1.0 + x2 * near;
  near = 1.0 + x2 * near / 272;
  near = 1.0 + x2 * near / 210;
  near = 1.0 + x2 * near / 156;
  near = 1.0 + x2 * near / 110;
  near = 1.0 + x2 * near / 72;
  near = 1.0 + x2 * near / 42;
  near = 1.0 + x2 * near / 20;
  near = a * (1.0 + x2 * near / 6);
  const double result = a < 1.0 ? near : far;
  return x < 0 ? -result : result;
}

/// 1 - e^-x without cancellation near zero: e^(-x/2) 2 sinh(x/2).
TELLEGEN_KERNEL double one_minus_exp(double x) { return 2.0 * exp(-0.5 * x) * sinh(0.5 * x); }

/// 1 / (1 + e^-x).
TELLEGEN_KERNEL double logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

}  // namespace tellegen::devices::elementary
