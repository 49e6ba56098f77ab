#pragma once
// The report as JSON and CSV.

#include <string>

#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// {name, title, ..., layers: [...], numbers: [{id, title, value, low, high, unit, formula, inputs, source,
/// warnings}]}. What is not finite (the signal to noise of an exact layer) is null, and a warning says why.
std::string report_json(const Report& report);

/// One row per layer, SI values: tiles, utilisation, snr, clipped, energy, area, latency, and the energy and area of
/// each component. What is not finite is an empty field.
std::string layers_csv(const Report& report);

}  // namespace tellegen::report
