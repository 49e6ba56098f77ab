#include "tellegen/sim/report/value_text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "tellegen/base/units.h"

namespace tellegen::report {
namespace {

const std::map<std::string, Dimension>& dimensions() {
  static const std::map<std::string, Dimension> known = {{"J", Energy::dimension},  {"m2", Area::dimension},
                                                         {"s", Time::dimension},    {"W", Power::dimension},
                                                         {"V", Voltage::dimension}, {"S", Conductance::dimension}};
  return known;
}

std::string percent(double fraction) {
  const double value = 100 * fraction;
  if (value == 0 || std::abs(value) >= 99.995) return fmt::format("{:.0f} %", value);
  return std::abs(value) < 0.01 ? fmt::format("{:.1e} %", value) : fmt::format("{:.2f} %", value);
}

bool is_whole(double value) { return std::abs(value) < 1e15 && value == std::floor(value); }

}  // namespace

std::string value_text(double value, const std::string& unit, int digits) {
  const auto dimension = dimensions().find(unit);
  if (dimension != dimensions().end()) {
    return value == 0 ? "0 " + unit : format_quantity(value, dimension->second, digits);
  }
  const std::size_t slash = unit.find('/');
  if (slash != std::string::npos && dimensions().count(unit.substr(0, slash)) > 0) {  // "J/conversions"
    return value_text(value, unit.substr(0, slash), digits) + unit.substr(slash);
  }
  if (unit == "fraction") return percent(value);
  if (unit == "dB") return fmt::format("{:.1f} dB", value);
  const std::string number = is_whole(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.{}g}", value, digits + 1);
  return unit == "1" || unit.empty() ? number : number + " " + unit;
}

std::string spread_text(const Number& number) {
  const std::string value = value_text(number.value, number.unit);
  if (!number.has_spread()) return value;
  return fmt::format("{} ({} .. {})", value, value_text(number.low, number.unit), value_text(number.high, number.unit));
}

std::string share_text(double value, double whole) {
  if (whole == 0) return "";
  const double percentage = 100 * value / whole;
  return percentage > 0 && percentage < 0.95 ? fmt::format("{:.1f} %", percentage)
                                             : fmt::format("{:.0f} %", percentage);
}

}  // namespace tellegen::report
