#pragma once
// Netlists of circuits of EKV transistors for ngspice: each transistor in the charge form, as behavioural sources whose
// charge is solved by the simulator itself.

#include <span>
#include <string>
#include <vector>

#include "tellegen/circuits/front_end/memglu_translinear.h"
#include "tellegen/circuits/spice/deck.h"
#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::circuits {

/// n transistors with one source node and one tail: outputs are their drain currents [A]. Shifts of thresholds [V] and
/// sizes are those of each transistor.
Deck source_coupled_deck(const devices::Mosfet& transistor, std::span<const double> gate_V,
                         std::span<const double> shift_V, std::span<const double> size, double tail_A, double supply_V);

/// The translinear gate with dV between the gates of its pair; outputs are plus out and what is subtracted from it
/// [A]. Loops sit on ideal followers where a source has to follow a node without loading it.
Deck translinear_deck(const devices::Mosfet& transistor, double dv_V, double bias_A, double supply_V,
                      const TranslinearTransistors& transistors = {});

}  // namespace tellegen::circuits
