#include "tellegen/circuits/cost/cell_write.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tellegen::circuits {

std::span<const std::string> written_cells() {
  static const std::vector<std::string> names{"gain_cell", "fefet", "rram", "pcm"};
  return names;
}

void CellWrite::settings(Settings& v) {
  v.choice("cell", cell, written_cells(), "kind of cell");
  v("entry", entry, "entry of the cost tables: one pulse", required());
  v("endurance_low", endurance.low, "writes that the worst published cells take", required(positive()));
  v("endurance", endurance.typical, "writes that a cell takes", required(positive()));
  v("endurance_high", endurance.high, "writes that the best published cells take", required(positive()));
  v("source", source, "key of sources.yaml", required());
  v("note", note, "how the endurance was read from the source");
  v.require(endurance.low <= endurance.typical && endurance.typical <= endurance.high, "endurance",
            fmt::format("= '{:g}' is not between endurance_low and endurance_high, {:g} to {:g}.", endurance.typical,
                        endurance.low, endurance.high));
}

void CellWriteTable::settings(Settings& v) {
  v.list_of_sections("cells", cells, "kinds of cells");
  v.list_of_sections("entries", entries, "priced parts");
}

const CellWrite& CellWriteTable::of(const std::string& cell) const {
  const auto found = std::ranges::find(cells, cell, &CellWrite::cell);
  if (found != cells.end()) return *found;
  throw InputError(fmt::format("there is no price for writing a cell of kind '{}'. Known kinds: {}.", cell,
                               fmt::join(written_cells(), ", ")));
}

}  // namespace tellegen::circuits
