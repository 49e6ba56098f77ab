#pragma once
// Softmax by circuits between converters: one circuit per head, used for one row after another. The largest of a row is
// taken off digitally, so that DACs only drive how far below it an input is.

#include "tellegen/sim/engine/analog_units.h"

namespace tellegen::sim {

/// An input this far below the largest of its row is masked: no score goes there, and networks write masks as -10000
/// down to -infinity. It is switched off, and its share is 0.
inline constexpr float kMaskDepth = 1000;

/// As calibrate_unit and run_unit, of units with a softmax.
void calibrate_softmax_unit(ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input);
models::Tensor run_softmax_unit(const ProgrammedUnit& programmed, const UnitPlace& place, const models::Tensor& input,
                                std::uint64_t first, std::int64_t count, UnitEvents& events);

}  // namespace tellegen::sim
