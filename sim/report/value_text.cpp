#include "tellegen/sim/report/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tellegen/base/units.h"

namespace tellegen::report {
namespace {

constexpr int kDigits = 3;

const std::map<std::string, Dimension>& dimensions() {
  static const std::map<std::string, Dimension> known = {{"J", Energy::dimension},  {"m2", Area::dimension},
                                                         {"s", Time::dimension},    {"W", Power::dimension},
                                                         {"V", Voltage::dimension}, {"S", Conductance::dimension}};
  return known;
}

/// "0.440", "2.00", "2690": trailing zeros are digits, too.
std::string significant(double value) {
  if (value == 0) return "0";
  constexpr int kLargestExponent = 6;
  const std::string scientific = fmt::format("{:.{}e}", value, kDigits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  if (std::abs(exponent) > kLargestExponent) return scientific;
  return fmt::format("{:.{}f}", std::stod(scientific), std::max(0, kDigits - 1 - exponent));
}

std::string percent(double fraction) {
  const double value = 100 * fraction;
  if (value == 0) return "0 %";
  return std::abs(value) < 0.01 ? fmt::format("{:.1e} %", value) : fmt::format("{:.2f} %", value);
}

bool is_whole(double value) { return std::abs(value) < 1e15 && value == std::floor(value); }

/// Counts in full, what is measured with its significant digits.
std::string plain_text(double value, const std::string& unit) {
  const bool measured = unit.rfind("TOPS", 0) == 0;
  const std::string number = measured          ? significant(value)
                             : is_whole(value) ? fmt::format("{:.0f}", value)
                                               : fmt::format("{:.4g}", value);
  return unit == "1" || unit.empty() ? number : number + " " + unit;
}

/// `value` in the unit that people expect for `like`.
std::string text_like(double value, double like, const std::string& unit) {
  if (!std::isfinite(value)) return "-";
  const std::size_t slash = unit.find('/');
  const std::string first = unit.substr(0, slash);  // "J" of "J/conversions"
  const auto dimension = dimensions().find(first);
  if (dimension != dimensions().end()) {
    const std::string rest = slash == std::string::npos ? "" : unit.substr(slash);
    if (!std::isfinite(like) || like == 0) like = value;
    if (like == 0) return "0 " + unit;
    const std::string example = format_quantity(like, dimension->second, kDigits);
    const std::string printed = example.substr(example.find(' ') + 1);
    return significant(value / parse_quantity("1 " + printed, dimension->second)) + " " + printed + rest;
  }
  if (unit == "fraction") return percent(value);
  if (unit == "dB") return fmt::format("{:.1f} dB", value);
  return plain_text(value, unit);
}

}  // namespace

std::string value_text(double value, const std::string& unit) { return text_like(value, value, unit); }

std::string range_text(double value, double low, double high, const std::string& unit) {
  const std::string text = value_text(value, unit);
  if (!(low < value || value < high)) return text;
  return fmt::format("{} ({} .. {})", text, text_like(low, value, unit), text_like(high, value, unit));
}

std::string spread_text(const Number& number) { return range_text(number.value, number.low, number.high, number.unit); }

std::string interval_text(const MeanInterval& accuracy, const std::string& unit) {
  if (!std::isfinite(accuracy.mean)) return "-";
  const std::string mean =
      unit == "fraction" ? fmt::format("{:.2f} %", 100 * accuracy.mean) : value_text(accuracy.mean, unit);
  if (!std::isfinite(accuracy.half_width)) return mean;
  if (all_equal(accuracy.half_width)) return mean + " (all chips equal)";
  return fmt::format("{} +- {}", mean, half_width_text(accuracy.half_width, unit));
}

std::string half_width_text(double half_width, const std::string& unit) {
  return unit == "fraction" ? fmt::format("{:.2f}", 100 * half_width) : fmt::format("{:.2g}", half_width);
}

std::string share_text(double value, double whole) {
  if (whole == 0) return "";
  const double percentage = 100 * value / whole;
  if (!std::isfinite(percentage)) return "-";
  if (percentage > 0 && percentage < 0.05) return "<0.1 %";
  return percentage > 0 && percentage < 0.95 ? fmt::format("{:.1f} %", percentage)
                                             : fmt::format("{:.0f} %", percentage);
}

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

bool all_equal(double half_width) {
  constexpr double kRounding = 1e-12;  // accuracies differ by one image, 1e-9 or more
  return half_width < kRounding;
}

}  // namespace tellegen::report
