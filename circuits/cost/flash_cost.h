#pragma once
// The price of a flash converter from its parts: comparators, the ladder that gives their references, and the encoder
// that counts how many of them say yes.

#include "tellegen/circuits/cost/adc_cost.h"

namespace tellegen::circuits {

/// Ladder of 2^bits equal resistors from the supply to ground. Its comparators load every tap; both ends are held, so a
/// disturbance dies with R C / pi^2 (slowest mode of the line), and must be below half a step after half a period. That
/// sets R, and with it the current; the energy of a conversion does not depend on the rate.
struct FlashRule {
  LawOrigin origin;
  Capacitance input;   ///< of one comparator and its wire
  Area resistor_area;  ///< of one ohm at `origin.node`; proportional to the node squared
  void settings(Settings& v);
  /// Of the whole ladder.
  Resistance resistance(double bits, Frequency rate) const;
};

/// 2^bits - 1 comparators, as many full adders less `bits` (a ones counter), and the ladder. `comparator` and
/// `full_adder` are at the chip's node already, `supply` is that node's.
Price flash_price(const AdcUse& use, const Price& comparator, const Price& full_adder, const FlashRule& rule,
                  Voltage supply);

}  // namespace tellegen::circuits
