#include "tellegen/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/base/unit_table.h"

namespace tellegen {
namespace {

std::vector<const Unit*> units_of(const Dimension& dimension) {
  std::vector<const Unit*> result;
  for (const Unit& unit : unit_table()) {
    if (unit.dimension == dimension) result.push_back(&unit);
  }
  return result;
}

std::vector<const Unit*> printed_units_of(const Dimension& dimension) {
  std::vector<const Unit*> result;
  for (const Unit* unit : units_of(dimension)) {
    if (unit->role != UnitRole::read) result.push_back(unit);
  }
  TELLEGEN_ASSERT(!result.empty());
  return result;
}

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : unit_table()) {
    if (name == unit.name) return &unit;
  }
  return nullptr;
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A decimal number and how many characters it took; 0 characters where there is none, NaN where a double cannot hold
/// it.
struct Number {
  double value = 0;
  std::size_t length = 0;
};

Number leading_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || !std::isfinite(value)) return {};  // no number, or a spelt infinity
  return {error == std::errc{} ? value : std::nan(""), static_cast<std::size_t>(end - text.data())};
}

int exponent_of(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  return exponent;
}

/// text * 10^shift, rounded once: "25" shifted by -6 is the double nearest to 25e-6, which 25 * 1e-6 need not be.
double shifted(std::string_view number, int shift) {
  const auto mark = number.find_first_of("eE");
  const int exponent = mark == std::string_view::npos ? 0 : exponent_of(number.substr(mark + 1));
  const std::string text = fmt::format("{}e{}", number.substr(0, mark), exponent + shift);
  return leading_number(text).value;
}

double to_si(std::string_view number, const Unit& unit) {
  if (unit.factor == 1.0) return shifted(number, unit.exponent);
  return leading_number(number).value * unit.factor;
}

[[noreturn]] void reject_unit(std::string_view text, std::string_view unit, const Dimension& dimension) {
  std::vector<std::string> names;
  for (const Unit* known : units_of(dimension)) names.emplace_back(known->name);
  std::string plain(unit);
  for (const std::string_view micro : {"\u00b5", "\u03bc"}) {
    if (const auto at = plain.find(micro); at != std::string::npos) plain.replace(at, micro.size(), "u");
  }
  const std::string near = nearest(plain, names);
  const std::string remedy =
      near.empty() ? fmt::format("use {}.", known_units(dimension)) : fmt::format("did you mean '{}'?", near);
  throw UnitError(text, fmt::format("has the unknown unit '{}'; {}", unit, remedy));
}

/// The shortest decimal digits that give `value` back, times 10^shift, in plain notation where that is short.
std::string shifted_text(double value, int shift) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const auto mark = text.find('e');
  std::string digits;
  for (const char c : text.substr(0, mark)) {
    if (c != '.' && c != '-') digits += c;
  }
  const std::string sign = text.starts_with('-') ? "-" : "";
  const int exponent = exponent_of(text.substr(mark + 1)) + shift;
  const int count = static_cast<int>(digits.size());
  if (value == 0.0) return sign + "0";
  if (exponent < -4 || exponent > 15) {
    return fmt::format("{}{}{}{}e{}", sign, digits[0], count > 1 ? "." : "", digits.substr(1), exponent);
  }
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (exponent >= count - 1) return sign + digits + std::string(static_cast<std::size_t>(exponent - count + 1), '0');
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

double size_of(const Unit& unit) { return unit.factor * std::pow(10.0, unit.exponent); }

double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

/// The smallest unit in which |value_SI| reads as less than 1000 (or less than one of the next unit: 90 s are 1.5 min).
const Unit& unit_for_people(double value_SI, const std::vector<const Unit*>& units, int digits) {
  for (std::size_t i = 0; i + 1 < units.size(); ++i) {
    const double limit = std::min(1000.0, std::round(size_of(*units[i + 1]) / size_of(*units[i]) * 1e6) / 1e6);
    if (std::abs(rounded(value_SI / size_of(*units[i]), digits)) < limit) return *units[i];
  }
  return *units.back();
}

const Unit& first_usual(const std::vector<const Unit*>& units) {
  for (const Unit* unit : units) {
    if (unit->role == UnitRole::usual) return *unit;
  }
  return *units.front();
}

}  // namespace

double parse_quantity(std::string_view text, const Dimension& dimension) {
  const std::string_view trimmed = trim(text);
  const Number number = leading_number(trimmed);
  const std::string_view unit_name = trim(trimmed.substr(number.length));
  if (number.length == 0 || unit_name.empty()) {
    throw UnitError(text, fmt::format("needs a number and a unit ({}).", known_units(dimension)));
  }
  const Unit* unit = find_unit(unit_name);
  if (unit == nullptr) reject_unit(text, unit_name, dimension);
  if (unit->dimension != dimension) {
    throw UnitError(text, fmt::format("has the wrong dimension; use {}.", known_units(dimension)));
  }
  const double value = to_si(trimmed.substr(0, number.length), *unit);
  if (!std::isfinite(value)) throw UnitError(text, "is too large or too small to be stored.");
  return value;
}

std::string format_quantity(double value_SI, const Dimension& dimension, int digits) {
  const auto units = printed_units_of(dimension);
  if (value_SI == 0.0 || !std::isfinite(value_SI)) return fmt::format("{} {}", value_SI, first_usual(units).name);
  const Unit& unit = unit_for_people(value_SI, units, digits);
  return fmt::format("{} {}", rounded(value_SI / size_of(unit), digits), unit.name);
}

std::string write_quantity(double value_SI, const Dimension& dimension) {
  TELLEGEN_ASSERT(std::isfinite(value_SI));
  const auto units = printed_units_of(dimension);
  if (value_SI == 0.0) return fmt::format("{} {}", shifted_text(value_SI, 0), first_usual(units).name);
  const Unit* decimal = nullptr;
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    if ((*unit)->factor == 1.0) {
      decimal = *unit;
      if (std::abs(value_SI) >= size_of(*decimal)) break;
      continue;
    }
    // Days, hours and electronvolts only where they say it shortly and exactly.
    const std::string text = shifted_text(value_SI / (*unit)->factor, 0);
    const bool large_enough = std::abs(value_SI) >= (*unit)->factor || (*unit)->role == UnitRole::fitting;
    if (text.size() <= 6 && large_enough && to_si(text, **unit) == value_SI) {
      return fmt::format("{} {}", text, (*unit)->name);
    }
  }
  TELLEGEN_ASSERT(decimal != nullptr);
  return fmt::format("{} {}", shifted_text(value_SI, -decimal->exponent), decimal->name);
}

std::string known_units(const Dimension& dimension) {
  std::string result;
  for (const Unit* unit : units_of(dimension)) {
    if (unit->role != UnitRole::usual && unit->role != UnitRole::fitting) continue;
    if (!result.empty()) result += ", ";
    result += unit->name;
  }
  return result;
}

}  // namespace tellegen
