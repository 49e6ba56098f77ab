#pragma once
// A comparison as a table, as CSV and as JSON.

#include <filesystem>
#include <string>

#include "tellegen/sim/report/compare.h"

namespace tellegen::report {

/// One row per option: energy and area of ADC, activation and DAC with their low and high, of the whole chip, latency,
/// accuracy.
std::string compare_table(const CompareResult& result);
std::string compare_csv(const CompareResult& result);
std::string compare_json(const CompareResult& result);
/// Writes compare.csv and compare.json into `folder`, both or none. Throws InputError.
void write_compare_output(const std::filesystem::path& folder, const CompareResult& result);

}  // namespace tellegen::report
