#pragma once
// Prices with their spread, for people and for CSV.

#include <string>

#include "tellegen/circuits/cost/price.h"
#include "tellegen/sim/report/value_text.h"

namespace tellegen::report {

inline std::string band_text(const circuits::Band& band, const std::string& unit) {
  return range_text(band.typical, band.low, band.high, unit);
}

/// ",LOW,TYPICAL,HIGH".
inline std::string csv_band(const circuits::Band& band) {
  return "," + csv_number(band.low) + "," + csv_number(band.typical) + "," + csv_number(band.high);
}

}  // namespace tellegen::report
