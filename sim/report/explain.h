#pragma once
// Where a number comes from.

#include <filesystem>
#include <string>

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// Formula, inputs, counts and source of number `id`; its prices and counts are shown in full. Throws InputError with a
/// proposal where there is no such number; `file` is named in the message.
std::string explain(const Report& report, const std::string& id, const std::filesystem::path& file);

/// All ids with their values, headline figures first.
std::string list_numbers(const Report& report);

}  // namespace tellegen::report
