#pragma once
// Warnings where a component leaves what its price law was made for.

#include <string>

#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

/// Names the law and the bound where `bits` is outside of [bits_min, bits_max].
void warn_about_bits(Price& price, const std::string& law, double bits, double bits_min, double bits_max);

/// Says that an analog price is used at another node than its own: in Provenance::scaling, and as a warning where the
/// nodes are more than a quarter apart (a price of no node, 0, is left alone; nearer than that, the spread of the price covers it).
void warn_about_node(Price& price, const std::string& law, Length stated, Length used);

}  // namespace tellegen::circuits
