#pragma once
// The report as an aligned table for a terminal.

#include <string>
#include <utility>
#include <vector>

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// Heading, one row per layer, and the totals under a line.
std::string run_table(const Report& report);

/// Shares of the parts of energy.all or area.all in the total, largest first, activations together: {"adc", 0.58}.
std::vector<std::pair<std::string, double>> component_shares(const Report& report, const std::string& quantity);

}  // namespace tellegen::report
