#pragma once
// Netlists of differential pairs and of threshold gates made of them, for ngspice. Transistors are behavioural current
// sources of the saturated EKV model; many inputs stand side by side in one operating point.

#include <span>

#include "tellegen/circuits/front_end/gate_design.h"
#include "tellegen/circuits/spice/deck.h"
#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::circuits {

/// charge: v = 2 q + ln q, i = q^2 + q, the simulator solves for ln q at a node of its own; what the library computes.
/// interpolation: i = ln^2(1 + e^(v/2)), the older form of the same model, which differs by up to 21 %.
enum class EkvForm { charge, interpolation };

/// One pair per entry: gates at reference_V + dv_V[k] and reference_V, tail tail_A[k]. Outputs: I_1 over the tail.
Deck pair_deck(const devices::Mosfet& transistor, double reference_V, std::span<const double> dv_V,
               std::span<const double> tail_A, EkvForm form);

/// The whole gate once per x, its tails as current sources of what the design asks for at that x. Outputs: y. Not for
/// comparators.
Deck threshold_gate_deck(const ThresholdDesign& design, std::span<const double> x);

}  // namespace tellegen::circuits
