#pragma once
// Values as people read them.

#include <string>

#include "tellegen/sim/report/number.h"

namespace tellegen::report {

/// "1.31 uJ", "0.42 mm2", "7 %", "34.1 dB", "1280": prefix and digits chosen for people.
std::string value_text(double value, const std::string& unit, int digits = 3);

/// "1.31 uJ (0.6 uJ .. 3.4 uJ)", or the value alone where there is no spread.
std::string spread_text(const Number& number);

/// value / whole as "58 %", "0.3 %" below one per cent; "" where the whole is zero.
std::string share_text(double value, double whole);

}  // namespace tellegen::report
