#pragma once
// The wires of a crossbar as a user sets them; with the shape of an array they become Wires.

#include <cstdint>
#include <span>
#include <utility>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

std::span<const std::pair<Drive, const char*>> enum_names(Drive);
std::span<const std::pair<Sense, const char*>> enum_names(Sense);

struct WireSettings {
  Resistance row_wire = Resistance::si(1);  ///< of one segment, from cell to cell
  Resistance column_wire = Resistance::si(1);
  Resistance driver, sense, access;
  Drive drive = Drive::one_side;
  Sense sense_ends = Sense::one_end;
  void settings(Settings& v);
  /// All rows driven, no wire broken.
  Wires wires(std::int64_t rows, std::int64_t columns) const;
};

}  // namespace tellegen::circuits
