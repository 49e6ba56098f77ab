#include "tellegen/circuits/converter/quantiser.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/circuits/converter/converter_kernels.h"

namespace tellegen {

circuits::Resolution ScalarText<circuits::Resolution>::parse(std::string_view text) {
  if (text == "ideal") return {0};
  try {
    return {static_cast<int>(detail::read_integer(text, 1, 16))};
  } catch (const InputError&) {
    throw InputError("is not a resolution; allowed: a whole number of bits from 1 to 16, or ideal.");
  }
}

std::string ScalarText<circuits::Resolution>::write(const circuits::Resolution& resolution) {
  return resolution.ideal() ? "ideal" : std::to_string(resolution.bits);
}

namespace circuits {
namespace {

/// Largest code of sign_magnitude.
std::int64_t magnitude_codes(int bits) {
  TELLEGEN_ASSERT(bits >= 2);
  return (std::int64_t{1} << (bits - 1)) - 1;
}

/// Steps between the lowest and the highest end of the range.
double steps(const Quantiser& q) {
  TELLEGEN_ASSERT(!q.resolution.ideal());
  const double cells = std::ldexp(1.0, q.resolution.bits);
  switch (q.kind) {
    case QuantiserKind::endpoint:
      return cells - 1;
    case QuantiserKind::mid_rise:
      return cells;
    case QuantiserKind::sign_magnitude:
      break;
  }
  return 2.0 * static_cast<double>(magnitude_codes(q.resolution.bits));
}

double bottom(const Quantiser& q) { return q.kind == QuantiserKind::sign_magnitude ? -q.high : q.low; }

/// Where code 0 begins (mid_rise) or stands (the others).
double origin(const Quantiser& q) { return q.kind == QuantiserKind::sign_magnitude ? 0.0 : q.low; }

/// Value of code 0.
double zero_value(const Quantiser& q) { return origin(q) + (q.kind == QuantiserKind::mid_rise ? 0.5 * q.step() : 0.0); }

}  // namespace

std::span<const std::pair<QuantiserKind, const char*>> enum_names(QuantiserKind) {
  static constexpr std::array<std::pair<QuantiserKind, const char*>, 3> names = {
      {{QuantiserKind::endpoint, "endpoint"},
       {QuantiserKind::mid_rise, "mid_rise"},
       {QuantiserKind::sign_magnitude, "sign_magnitude"}}};
  return names;
}

std::int64_t Quantiser::levels() const {
  const auto whole = static_cast<std::int64_t>(steps(*this));
  return kind == QuantiserKind::mid_rise ? whole : whole + 1;
}

double Quantiser::step() const { return (high - bottom(*this)) / steps(*this); }

double Quantiser::codes_per_unit() const { return steps(*this) / (high - bottom(*this)); }

std::int64_t Quantiser::code(double x) const {
  const double below = x < high ? x : high;
  const double saturated = below > bottom(*this) ? below : bottom(*this);
  const double position = (saturated - origin(*this)) * codes_per_unit();
  if (kind != QuantiserKind::mid_rise) return static_cast<std::int64_t>(std::nearbyint(position));
  return std::min(static_cast<std::int64_t>(std::floor(position)), levels() - 1);
}

double Quantiser::value(std::int64_t code) const { return zero_value(*this) + static_cast<double>(code) * step(); }

template <class T>
std::int64_t quantise(const Quantiser& quantiser, std::span<T> values) {
  if (quantiser.resolution.ideal()) return 0;
  TELLEGEN_ASSERT(bottom(quantiser) < quantiser.high);
  kernels::Grid<T> grid;
  grid.low = static_cast<T>(bottom(quantiser));
  grid.high = static_cast<T>(quantiser.high);
  grid.origin = static_cast<T>(origin(quantiser));
  grid.codes_per_unit = static_cast<T>(quantiser.codes_per_unit());
  grid.step = static_cast<T>(quantiser.step());
  grid.zero_value = static_cast<T>(zero_value(quantiser));
  grid.last_code = static_cast<T>(quantiser.levels() - 1);
  const auto size = static_cast<std::int64_t>(values.size());
  const bool floors = quantiser.kind == QuantiserKind::mid_rise;
  return (floors ? kernels::to_cells<T> : kernels::to_levels<T>)(best_vector_unit(), grid, values.data(), size);
}

template std::int64_t quantise(const Quantiser&, std::span<float>);
template std::int64_t quantise(const Quantiser&, std::span<double>);

}  // namespace circuits
}  // namespace tellegen
