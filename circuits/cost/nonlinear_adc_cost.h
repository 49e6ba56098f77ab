#pragma once
// What a converter that computes an activation function costs.

#include "tellegen/circuits/converter/nonlinear_adc.h"
#include "tellegen/circuits/cost/cost_model.h"

namespace tellegen::circuits {

/// Such a converter as its price sees it.
struct NonlinearAdcUse {
  NonlinearMethod method = NonlinearMethod::count;
  int bits = 8;             ///< of the code
  int input_bits = 9;       ///< of method table
  double steps = 255;       ///< of the ramp, per conversion; a mean where converters differ
  bool directions = false;  ///< one is stored for each step: the function turns
};
NonlinearAdcUse use_of(const NonlinearAdc& adc);

/// Per conversion of one of `columns` columns that share ramp, counter and stored bits; area per column.
/// count: one decision of the column's comparator, one count and one stored direction (where the function turns) per step of
/// the ramp, and a register for the code. table: the linear converter of `kind` at its rate, and one word out of the table.
/// References and the ramp itself are not priced: the warnings say so.
Price nonlinear_adc_price(const NonlinearAdcUse& adc, const CostModel& costs, const AdcUse& linear, int columns);
Price nonlinear_adc_price(const NonlinearAdc& adc, const CostModel& costs, const AdcUse& linear, int columns);

}  // namespace tellegen::circuits
