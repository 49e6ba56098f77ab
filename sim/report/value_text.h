#pragma once
// Values as people read them.

#include <string>

#include "tellegen/base/statistics.h"
#include "tellegen/sim/report/number.h"

namespace tellegen::report {

/// "1.31 uJ", "0.420 mm2", "7.00 %", "34.1 dB", "1280": prefix chosen for people, three significant digits; "-" where
/// the value is not finite.
std::string value_text(double value, const std::string& unit);

/// "1.31 uJ (0.600 uJ .. 3400 uJ)", all in the unit of `value`; the value alone where there is no spread.
std::string range_text(double value, double low, double high, const std::string& unit);
std::string spread_text(const Number& number);

/// "92.10 % +- 0.31"; "1.309 nat +- 0.012"; "92.10 % (all chips equal)"; the mean alone of one chip.
std::string interval_text(const MeanInterval& accuracy, const std::string& unit = "fraction");
/// Half of an interval as it stands behind the "+-".
std::string half_width_text(double half_width, const std::string& unit);

/// value / whole as "58 %", "0.3 %" below one per cent, "<0.1 %" where that would be zero; "" where the whole is zero.
std::string share_text(double value, double whole);

/// Shortest text that reads back as `value`, for CSV; "" where the value is not finite.
std::string csv_number(double value);

/// Whether samples do not differ: rounding of their mean is no deviation.
bool all_equal(double half_width);

}  // namespace tellegen::report
