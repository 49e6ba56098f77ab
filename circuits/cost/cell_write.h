#pragma once
// Cells that are written while a network runs: what one pulse costs, and how many writes a cell takes.

#include <span>
#include <string>
#include <vector>

#include "tellegen/circuits/cost/cost_table.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

/// One kind of cell.
struct CellWrite {
  std::string cell;   ///< one of written_cells()
  std::string entry;  ///< priced part: one pulse
  Band endurance;     ///< writes of one cell before it fails
  std::string source, note;
  void settings(Settings& v);
};

/// configs/costs/cell_writes.yaml
struct CellWriteTable {
  std::vector<CellWrite> cells;
  std::vector<CostEntry> entries;
  void settings(Settings& v);
  /// Throws InputError with a proposal.
  const CellWrite& of(const std::string& cell) const;
};

/// "gain_cell", "fefet", "rram", "pcm".
std::span<const std::string> written_cells();

}  // namespace tellegen::circuits
