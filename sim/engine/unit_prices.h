#pragma once
// What circuits between converters cost: energy, area and time of those that follow one layer.

#include <string>
#include <vector>

#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::sim {

/// A line of the ledger.
struct UnitCost {
  std::string component;  ///< "unit_dac", "unit_silu", "unit_softmax", "unit_sample_hold", "unit_adc"
  double count = 0;       ///< actions, over all images
  std::string count_unit;
  double instances = 0;
  circuits::Price price;
};

/// Prices of the chip's linear converters, and how long a conversion takes.
struct UnitConverterPrices {
  circuits::Price dac, sample_hold, adc;
  double conversion_s = 0;
};

/// Nothing where no unit follows the layer.
std::vector<UnitCost> unit_costs(const mapping::Plan& plan, const LayerEvents& events, const mapping::ChipConfig& chip,
                                 const UnitConverterPrices& converters);

/// Of one image through the units of the layer, one after another; each position waits for the slower of settling and
/// conversion of as many outputs as share an ADC.
double units_latency_s(const mapping::Plan& plan, const LayerEvents& events, const mapping::ChipConfig& chip,
                       const UnitConverterPrices& converters);

}  // namespace tellegen::sim
