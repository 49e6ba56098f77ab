#pragma once
// Prices of what moves data over a chip and to it: routers, links, memory off the chip.

#include <span>
#include <string>

#include "tellegen/circuits/cost/cost_model.h"

namespace tellegen::circuits {

/// Widths of the flits that routers are tabulated for.
std::span<const int> router_flit_bits();
/// Memories off the chip that are tabulated, by the name of the setting: "lpddr4", "hbm2", ...
std::span<const std::string> off_chip_memories();

/// Per flit through one router of five ports; area and static power of the router. From the tabulated node nearest by
/// ratio, scaled as logic.
Price router_price(const CostModel& costs, int flit_bits, Length node);
/// Per cycle of one router's clock, which runs whether flits come or not.
Price router_clock_price(const CostModel& costs, int flit_bits, Length node);
/// Per bit over one millimetre; area and static power of one wire of one millimetre. Of the tabulated node nearest by
/// ratio, not scaled.
Price link_price(const CostModel& costs, Length node);
/// Per bit. `memory` is one of off_chip_memories().
Price off_chip_price(const CostModel& costs, const std::string& memory);

}  // namespace tellegen::circuits
