// Texts of scalars and the messages about them.

#include <fmt/format.h>

#include "tellegen/base/config.h"

namespace tellegen::detail {
namespace {

/// Decimal digits without a leading zero, which elsewhere would mean octal.
bool plain_whole_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  return text.size() == 1 || text.front() != '0';
}

template <class T>
T read_whole(std::string_view text, T low, T high) {
  if (!plain_whole_number(text)) throw InputError("is not a whole number in plain decimal digits.");
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all_read = error == std::errc{} && end == text.data() + text.size();
  if (!all_read || value < low || value > high)
    throw OverflowError(fmt::format("is out of range; allowed: {} to {}.", low, high));
  return value;
}

std::string limit_text(double value, const Dimension* dimension) {
  return dimension == nullptr || value == 0.0 ? write_number(value) : write_quantity(value, *dimension);
}

}  // namespace

double read_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) throw InputError("is not a number.");
  if (error != std::errc{} || !std::isfinite(value)) throw InputError("is not a finite number.");
  return value;
}

std::string write_number(double value) { return fmt::format("{}", value); }

double read_quantity(std::string_view text, const Dimension& dimension) {
  try {
    return parse_quantity(text, dimension);
  } catch (const UnitError& error) {
    throw InputError(error.reason());
  }
}

std::int64_t read_integer(std::string_view text, std::int64_t low, std::int64_t high) {
  return read_whole(text, low, high);
}

std::uint64_t read_unsigned(std::string_view text, std::uint64_t high) {
  return read_whole(text, std::uint64_t{0}, high);
}

bool read_bool(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw InputError("is neither true nor false.");
}

std::string allowed_text(const Allowed& allowed, const Dimension* dimension) {
  const std::string low = std::isinf(allowed.low) ? "" : limit_text(allowed.low, dimension);
  const std::string high = std::isinf(allowed.high) ? "" : limit_text(allowed.high, dimension);
  if (low.empty() && high.empty()) return "";
  if (low.empty()) return "at most " + high;
  if (allowed.low_open) return "above " + low + (high.empty() ? "" : ", at most " + high);
  return high.empty() ? "at least " + low : low + " to " + high;
}

std::string out_of_range_message(const Allowed& allowed, const Dimension* dimension) {
  return fmt::format("is out of range; allowed: {}.", allowed_text(allowed, dimension));
}

void check_allowed(double value, const Allowed& allowed, const Dimension* dimension) {
  const bool above = allowed.low_open ? value > allowed.low : value >= allowed.low;
  if (above && value <= allowed.high) return;
  throw InputError(out_of_range_message(allowed, dimension));
}

std::string unknown_value_message(std::string_view text, const std::string& plural,
                                  std::span<const std::string> known) {
  const std::string near = nearest(std::string(text), known);
  const std::string proposal = near.empty() ? "." : fmt::format("; did you mean '{}'?", near);
  return fmt::format("is not known. Known {}: {}{}", plural, fmt::join(known, ", "), proposal);
}

}  // namespace tellegen::detail
