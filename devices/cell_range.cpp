#include "tellegen/devices/cell_range.h"

#include <fmt/format.h>

namespace tellegen::devices {

void require_range(Settings& v, Conductance g_min, Conductance g_max) {
  const auto text = [](Conductance g) { return write_quantity(g.si(), Conductance::dimension); };
  v.require(g_min < g_max, "g_min",
            fmt::format("= '{}' {} device.g_max ('{}'); allowed: less than g_max.", text(g_min),
                        g_min > g_max ? "is above" : "equals", text(g_max)));
}

void require_measured(Settings& v, const CellRange& range, Conductance low, Conductance high) {
  const auto text = [](Conductance g) { return write_quantity(g.si(), Conductance::dimension); };
  const auto refuse_outside = [&](const char* name, Conductance g) {
    v.require(low <= g && g <= high, name,
              fmt::format("= '{}' is outside the conductances that were measured; allowed: {} to {}.", text(g),
                          text(low), text(high)));
  };
  refuse_outside("g_min", range.g_min);
  refuse_outside("g_max", range.g_max);
}

void CellRange::settings(Settings& v) {
  v("g_min", g_min, "smallest conductance that a cell is programmed to",
    between(Conductance::si(0), highest_conductance));
  v("g_max", g_max, "largest conductance that a cell is programmed to",
    between(lowest_full_scale, highest_conductance));
  require_range(v, g_min, g_max);
  v("levels", levels, "conductances that a cell can be programmed to, evenly spaced; 0: any", between(0, 65536));
  v.require(levels != 1, "levels",
            "= '1' leaves a cell nothing to store; allowed: 0 (any conductance), or 2 and more.");
  v("stuck_off", stuck_off, "share of the cells that stand at g_min for ever", between(0, 1));
  v("stuck_on", stuck_on, "share of the cells that stand at g_max for ever", between(0, 1));
  v.require(
      stuck_off + stuck_on <= 1, "stuck_on",
      fmt::format("= '{}' and device.stuck_off = '{}' together are more than all cells; allowed: a sum of at most 1.",
                  stuck_on, stuck_off));
}

}  // namespace tellegen::devices
