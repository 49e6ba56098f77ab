#pragma once
// Cells whose current is not proportional to their voltage, whole rows at a time.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tellegen/devices/cell_law.h"
#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::circuits {

/// Current [A] and slope di/dv [S] of consecutive cells, of which `first_cell` = row * columns + column is the first,
/// from the voltages across them (row node minus column node). Currents must rise with the voltage, 0 A at 0 V.
using ArrayLaw = std::function<void(std::int64_t first_cell, std::span<const double> drop_V,
                                    std::span<double> current_A, std::span<double> slope_S)>;

/// The same law for all cells, each with its own conductance.
ArrayLaw array_law(const devices::CellLaw& law, std::vector<double> cell_S);

/// Current and slope of one element at one voltage.
struct OperatingPoint {
  double current_A = 0;
  double slope_S = 0;
};
/// The same element everywhere: an access transistor with its gate on, a resistance.
ArrayLaw same_everywhere(std::function<OperatingPoint(double drop_V)> element);

/// An n-channel access transistor between cell and column, its gate at `gate_V` against the bulk. Its source is taken at
/// 0 V: what a column lifts it by, a few millivolts, is neglected against the overdrive of the gate.
ArrayLaw access_transistor(const devices::Mosfet& transistor, double gate_V);

/// `cell` and `access` one behind the other (1T1R): the voltage between them is solved for.
ArrayLaw in_series(ArrayLaw cell, ArrayLaw access);

}  // namespace tellegen::circuits
