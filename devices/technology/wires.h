#pragma once
// Wires of a chip: resistance and capacitance per length, from geometry or from tables, and per cell of an array.

#include "tellegen/base/units.h"

namespace tellegen::devices {

using ResistancePerLength = Quantity<1, 1, -3, -2, 0>;   ///< ohm/m; 1 ohm/um = 1e6
using CapacitancePerLength = Quantity<-3, -1, 4, 2, 0>;  ///< F/m; 1 fF/um = 1e-9

/// A copper line in its trench. The barrier lines the bottom and both sides and does not conduct.
struct WireGeometry {
  double width_m, thickness_m, resistivity_ohm_m;  ///< resistivity of the metal at this width
  double barrier_m = 0;
  /// rho / (w t - b (2 t + w)), ohm/m.
  double resistance_ohm_per_m() const;
};

/// Resistance at another temperature: 1 + 0.00451 (T - 300 K), falling below 300 K. (The same law with |T - 300 K| is
/// in circulation.)
double wire_temperature_factor(double temperature_K);

/// One cell's worth of wire.
struct WireSegment {
  double r_ohm, c_F;
};

/// Pitch of an array's cells in units of the minimum wire width F: along the row and along the column.
struct CellPitch {
  double along_row = 2, along_column = 2;
};
inline constexpr CellPitch cross_point{2, 2};
inline constexpr CellPitch one_transistor_one_resistor{4, 12};

struct WirePerLength {
  ResistancePerLength r;
  CapacitancePerLength c;
  WireSegment segment(Length length) const { return {(r * length).si(), (c * length).si()}; }
};

/// Constant-field (Dennard) scaling from one feature size to another: what lengths, voltages and the rest are
/// multiplied with. Holds to about 65 nm; supplies have fallen more slowly since.
struct ConstantFieldScaling {
  double length, area, voltage, capacitance, delay, energy, wire_resistance_per_length;
};
ConstantFieldScaling constant_field_scaling(Length from, Length to);

}  // namespace tellegen::devices
