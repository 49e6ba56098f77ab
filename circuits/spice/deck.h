#pragma once
// Netlists of crossbars for ngspice: the same circuit, written once more, for an independent program to solve.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/circuits/crossbar/charge_transfer.h"
#include "tellegen/circuits/crossbar/wires.h"
#include "tellegen/devices/cell_law.h"

namespace tellegen::circuits {

/// A sum of vectors of the simulator, times a factor.
struct DeckOutput {
  std::vector<std::string> vectors;  ///< "i(vbb_3)", lower case; none: 0
  double factor = 1;
};

/// A complete input file: elements, options, one analysis. `ngspice -b -r out.raw FILE` runs it.
struct Deck {
  std::string text;
  std::vector<DeckOutput> outputs;  ///< by column
  bool imaginary = false;           ///< outputs are the imaginary parts: charges, as currents at 1 rad/s
};

/// Operating point of a resistive crossbar; outputs are currents into 0 V [A]. Nodes are called w3_4 and b3_4, drivers
/// w3_l and w3_r, sense ends bt_4 and bb_4. Wires without resistance are one node, nodes that hang in the air are left
/// out, cells of another law than Ohm's are behavioural current sources, in series with their access resistance.
/// Tightest tolerances that ngspice knows. Throws InputError as check, branch_conductances, applied_voltages do.
Deck crossbar_deck(const Wires& wires, std::span<const double> cell_S, const devices::CellLaw& law,
                   std::span<const double> input_V);

/// Charge read of a crossbar of capacitors as a small-signal analysis; outputs are voltages [V] as of ChargeTransfer:
/// of floating columns, or of amplifiers. Rows are r3, columns c4, amplifiers o4. Throws InputError as ChargeTransfer
/// does, and for the wrong number of voltages.
Deck charge_deck(const ChargeArray& array, std::span<const RowState> row_state, std::span<const double> row_V,
                 const std::optional<ChargeAmplifier>& amplifier = std::nullopt);

}  // namespace tellegen::circuits
