#pragma once
// A crossbar with capacitance at its nodes as C dv/dt + A v = B V, I = D v, entry by entry. Currents of cells that lie
// directly between a driver and a sense end are not in D: they have no dynamics.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/settling.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// One entry of a matrix; equal places add up.
struct NetworkEntry {
  std::int64_t row = 0;
  std::int64_t column = 0;
  double value_S = 0;
};

/// Unknowns are the nodes that hang on something and are no terminal; wires without resistance are one node.
struct RcNetwork {
  std::int64_t unknowns = 0;
  std::int64_t inputs = 0;                ///< rows of the array
  std::int64_t outputs = 0;               ///< columns of the array
  std::vector<double> capacitance_F;      ///< C, by unknown
  std::vector<NetworkEntry> conductance;  ///< A [unknowns][unknowns]
  std::vector<NetworkEntry> from_driver;  ///< B [unknowns][inputs]
  std::vector<NetworkEntry> to_sense;     ///< D [outputs][unknowns]
};

/// Throws InputError as slowest_time_bound_s does.
RcNetwork rc_network(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance);

/// Throws InputError for a capacitance that is negative or not finite.
void check(const NodeCapacitance& capacitance);

}  // namespace tellegen::circuits
