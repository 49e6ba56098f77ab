#pragma once
// Laws for the price of driving one row once.

#include <cstdint>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/cost_table.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

using CapacitancePerArea = Quantity<-4, -1, 4, 2, 0>;

/// Node voltages of a binary ladder (C-2C or R-2R) relative to its reference, least significant end first.
std::vector<double> ladder_nodes(int bits, std::uint32_t code);
/// sum over set bits of (1 - v_i): what the reference supplies, in units of C V^2 (C-2C) or V^2 / (2 R) (R-2R).
double ladder_load(int bits, std::uint32_t code);
/// The same averaged over equally likely codes, exactly.
double mean_ladder_load(int bits);

/// Capacitors of a process: density at `node`, inversely proportional to the node elsewhere; a border around each.
struct CapacitorRule {
  std::string source;
  Length node;
  CapacitancePerArea density;
  Area border;
  void settings(Settings& v);
  Area area(double capacitance_F, int capacitors, Length at) const;
};

/// ZigZag-IMC: a capacitance per bit, switched at the supply.
struct ZigzagDacLaw {
  LawOrigin origin;
  Capacitance per_bit;
  Voltage supply;
  void settings(Settings& v);
};

/// Ladders: load from the exact ladder, drivers of the bits beside it.
struct LadderLaw {
  LawOrigin origin;
  Capacitance unit_capacitance;  ///< of a C-2C ladder
  Resistance unit_resistance;    ///< of an R-2R ladder
  Area unit_resistor_area;       ///< per bit and ohm at `origin.node`: multiplied with the resistance in ohm
  double controller = 0;         ///< energy of the bit drivers: (supply * node in metres)^2 * bits * this, in J
  void settings(Settings& v);
  /// (V T)^2 N controller.
  Energy controller_energy(int bits, Voltage supply, Length node) const;
};

/// Pulse-width modulation: latency of all steps; the price of a published time-domain converter, in proportion to the
/// steps.
struct PulseWidthLaw {
  std::string entry;  ///< in the same file
  int bits = 8;       ///< of that entry
  Time step;
  std::string step_source;
  void settings(Settings& v);
};

/// configs/costs/dac.yaml
struct DacTable {
  CapacitorRule capacitor;
  ZigzagDacLaw zigzag;
  LadderLaw ladder;
  PulseWidthLaw pulse_width;
  std::string one_bit, published;  ///< entries: row driver; 8-bit capacitive DAC
  std::vector<CostEntry> entries;
  void settings(Settings& v);
};

/// Prices per drive at `node`, `supply` its nominal supply.
Price zigzag_dac_price(const DacTable& table, int bits, Length node);
Price c2c_price(const DacTable& table, int bits, Length node, Voltage supply);
Price r2r_price(const DacTable& table, int bits, Length node, Voltage supply, Time pulse);
Price pulse_width_price(const DacTable& table, const Price& entry, int bits);

}  // namespace tellegen::circuits
