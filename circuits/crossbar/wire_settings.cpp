#include "tellegen/circuits/crossbar/wire_settings.h"

#include <array>

namespace tellegen::circuits {

std::span<const std::pair<Drive, const char*>> enum_names(Drive) {
  static constexpr std::array names{std::pair{Drive::one_side, "one_side"}, std::pair{Drive::both_sides, "both_sides"}};
  return names;
}

std::span<const std::pair<Sense, const char*>> enum_names(Sense) {
  static constexpr std::array names{std::pair{Sense::one_end, "one_end"}, std::pair{Sense::both_ends, "both_ends"},
                                    std::pair{Sense::alternate, "alternate"}};
  return names;
}

void WireSettings::settings(Settings& v) {
  v("row_wire", row_wire, "resistance of a row wire from cell to cell", at_least(0));
  v("column_wire", column_wire, "resistance of a column wire from cell to cell", at_least(0));
  v("driver", driver, "output resistance of a row driver", at_least(0));
  v("sense", sense, "resistance from a column to the virtual ground: switch and amplifier input", at_least(0));
  v("access", access, "on-resistance of the access transistor in series with each cell", at_least(0));
  v("drive", drive, "rows driven from one side, or from both by the same voltage");
  v("sense_ends", sense_ends, "columns sensed at the bottom, at both ends, or alternately at the bottom and the top");
}

Wires WireSettings::wires(std::int64_t rows, std::int64_t columns) const {
  Wires wires;
  wires.rows = rows;
  wires.columns = columns;
  wires.row_segment_ohm = row_wire.si();
  wires.column_segment_ohm = column_wire.si();
  wires.driver_ohm = driver.si();
  wires.sense_ohm = sense.si();
  wires.access_ohm = access.si();
  wires.drive = drive;
  wires.sense = sense_ends;
  return wires;
}

}  // namespace tellegen::circuits
