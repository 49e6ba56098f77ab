#pragma once
// Numbers of the ledger: prices times counts, and what follows from their sums.

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// price.energy.LAYER.COMPONENT and energy...; all per image.
void add_energy(const sim::RunResult& result, Report& report);
/// area..., and static_power... where anything leaks.
void add_area(const sim::RunResult& result, Report& report);
/// latency.LAYER, latency.
void add_latency(const sim::RunResult& result, Report& report);
/// tops, tops_per_watt, tops_per_mm2. Needs macs, energy, area, latency.
void add_throughput(const sim::RunResult& result, Report& report);

}  // namespace tellegen::report
