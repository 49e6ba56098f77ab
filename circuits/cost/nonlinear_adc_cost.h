#pragma once
// What a converter that computes an activation function costs.

#include "tellegen/circuits/converter/nonlinear_adc.h"
#include "tellegen/circuits/cost/cost_model.h"

namespace tellegen::circuits {

/// Per conversion of one of `columns` columns that share ramp, counter and stored bits; area per column.
/// count: one decision of the column's comparator, one count and one stored direction (where the function turns) per step of
/// the ramp, and a register for the code. table: the linear converter of `kind` at its rate, and one word out of the table.
/// References and the ramp itself are not priced: the warnings say so.
Price nonlinear_adc_price(const NonlinearAdc& adc, const CostModel& costs, const AdcUse& linear, int columns);

}  // namespace tellegen::circuits
