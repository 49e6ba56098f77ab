#pragma once
// Numbers of what programming took, for devices that are programmed pulse by pulse.

#include <string>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// unconverged, pulses, programming_energy, programming_time, and each with .LAYER; nothing for devices that count no
/// pulses. Counts, energies and times are those of one chip, mean over chips.
void add_programming(const sim::RunResult& result, Report& report);

/// One line of the table of a run; "" for devices that count no pulses.
std::string programming_line(const Report& report);

/// /programming of run.h5, [layers], over all chips; nothing for devices that count no pulses.
void write_programming(Hdf5Writer& file, const sim::RunResult& result);

}  // namespace tellegen::report
