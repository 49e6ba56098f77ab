#pragma once
// Three ways to cut a range into codes. Ties to even; saturate before rounding.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tellegen/base/config.h"

namespace tellegen::circuits {

/// Resolution of a converter: 1 to 16 bits, or `ideal` (no quantisation, no clipping).
struct Resolution {
  int bits = 8;  ///< 0: ideal
  bool ideal() const { return bits == 0; }
  friend bool operator==(const Resolution&, const Resolution&) = default;
};

enum class QuantiserKind {
  endpoint,        ///< 2^B levels, both ends included: 2^B - 1 steps
  mid_rise,        ///< 2^B cells, value at the middle of a cell
  sign_magnitude,  ///< 2^B - 1 levels with an exact zero; codes -(2^(B-1) - 1) .. 2^(B-1) - 1; needs B >= 2
};
std::span<const std::pair<QuantiserKind, const char*>> enum_names(QuantiserKind);

/// A quantiser over [low, high] (sign_magnitude: [-high, high]). `low < high`.
struct Quantiser {
  QuantiserKind kind = QuantiserKind::endpoint;
  Resolution resolution;
  double low = 0, high = 1;

  std::int64_t levels() const;        ///< how many codes there are
  double step() const;                ///< distance of neighbouring values
  double codes_per_unit() const;      ///< 1 / step, rounded once: ties of exact ranges stay ties
  std::int64_t code(double x) const;  ///< endpoint, mid_rise: from 0; sign_magnitude: signed
  double value(std::int64_t code) const;
  double quantise(double x) const { return resolution.ideal() ? x : value(code(x)); }
};

/// In place, vectorised: values become quantised values. Returns how many were outside the range (clipped); a value
/// that is not a number counts as clipped and takes the upper end.
template <class T>
std::int64_t quantise(const Quantiser& quantiser, std::span<T> values);

}  // namespace tellegen::circuits

/// "ideal", or a whole number of bits from 1 to 16.
template <>
struct tellegen::ScalarText<tellegen::circuits::Resolution> {
  static circuits::Resolution parse(std::string_view text);
  static std::string write(const circuits::Resolution& resolution);
  static std::string kind() { return "bits (1 to 16), or ideal"; }
};
