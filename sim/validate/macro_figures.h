#pragma once
// A macro through plan, count and price.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/validate/macro.h"

namespace tellegen::sim {

/// What one product on all arrays costs, part by part.
struct MacroRow {
  std::string part;
  double actions = 0, instances = 0;
  circuits::Price price;
};

struct MacroFigures {
  double operations = 0;  ///< 2 per multiply-accumulate
  double time_s = 0;
  circuits::Band energy_J, area_m2;
  std::vector<MacroRow> rows;
  double tops() const { return operations / time_s * 1e-12; }
  double tops_per_watt() const { return operations / energy_J.typical * 1e-12; }
};

/// `costs`: folder of the cost tables. Throws InputError where a part is not in them, RefusedError where the product does not
/// fit one array.
MacroFigures macro_figures(const Macro& macro, const std::filesystem::path& costs);

}  // namespace tellegen::sim
