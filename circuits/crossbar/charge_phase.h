#pragma once
// The obvious solver of a crossbar of capacitors: phase by phase, the charge of everything that floats is kept. Dense
// nodal equations, any sequence of phases; the fast form (charge_transfer.h) is tested against it.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/charge_array.h"

namespace tellegen::circuits {

/// Switch positions and voltages from one settled state to the next.
struct ChargePhase {
  std::vector<RowState> row_state;  ///< [rows]; empty: all driven
  std::vector<double> row_V;        ///< of driven rows, [rows]
  std::vector<std::uint8_t> held;   ///< [columns], non-zero: held at column_V; empty: all float
  std::vector<double> column_V;     ///< of held columns, [columns]; empty: 0 V
  std::vector<std::int64_t> group;  ///< [columns]: columns with equal numbers are connected; empty: none are
  std::vector<double> injected_C;   ///< charge put on a column at the start, by switches; [columns]; empty: none
};

/// Voltages of all lines.
struct ChargeState {
  std::vector<double> row_V;     ///< [rows]
  std::vector<double> column_V;  ///< [columns]
};

/// What a phase did.
struct ChargeStep {
  ChargeState state;             ///< at its end
  std::vector<double> row_C;     ///< delivered by the drivers, 0 for floating rows, [rows]
  std::vector<double> column_C;  ///< delivered by what holds a column, 0 for floating columns, [columns]
  double source_J = 0;           ///< sum of charge x voltage of drivers and holders
  double stored_J = 0;           ///< gain of the energy in all capacitances
  /// Turned into heat by wires and switches; 0 or more unless switches put in charge.
  double dissipated_J() const { return source_J - stored_J; }
};

/// All lines at 0 V.
ChargeState at_rest(const ChargeArray& array);

/// Energy in all capacitances [J].
double stored_energy_J(const ChargeArray& array, const ChargeState& state);

/// One phase. Throws InputError as check does, for lists of the wrong length, for connected columns of which some are
/// held, and for lines that float without a capacitance to anything that is held (their voltage would be open).
ChargeStep settle(const ChargeArray& array, const ChargeState& from, const ChargePhase& phase);

/// All phases one after the other, from rest.
std::vector<ChargeStep> settle_all(const ChargeArray& array, std::span<const ChargePhase> phases);

}  // namespace tellegen::circuits
