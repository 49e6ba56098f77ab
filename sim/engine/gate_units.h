#pragma once
// Activations by circuits between converters: one unit per neuron, used for all positions of a sample.

#include "tellegen/sim/engine/analog_units.h"

namespace tellegen::sim {

/// As calibrate_unit and run_unit, of units with groups.
void calibrate_gate_unit(ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input);
models::Tensor run_gate_unit(const ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input,
                             std::uint64_t first, std::int64_t count, UnitEvents& events);

}  // namespace tellegen::sim
