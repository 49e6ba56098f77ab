#pragma once
// How long the cells of rewritten tiles last, as numbers of the report.

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// writes_per_cell.LAYER, endurance.LAYER, lifetime_inputs.LAYER and lifetime.LAYER for products on rewritten tiles; the
/// latency must be there already.
void add_wear(const sim::RunResult& result, Report& report);

}  // namespace tellegen::report
