#pragma once
// Which conductances a cell can take, and how many cells take none: what the settings of all devices begin with.

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"

namespace tellegen::devices {

/// Bounds of what a cell can be, far beyond any real one: past them arithmetic overflows instead of simulating.
inline constexpr Conductance highest_conductance = Conductance::si(1);
inline constexpr Conductance lowest_full_scale = Conductance::si(1e-12);

/// The settings that every statistical device has.
struct CellRange {
  Conductance g_min = Conductance::si(0);
  Conductance g_max = Conductance::si(100e-6);
  int levels = 0;
  double stuck_off = 0;
  double stuck_on = 0;
  void settings(Settings& v);
};

/// For models that are fits in absolute conductances: refuses a range that leaves the measured one.
void require_measured(Settings& v, const CellRange& range, Conductance low, Conductance high);

/// Refuses a g_min that is not below g_max, at the place of g_min.
void require_range(Settings& v, Conductance g_min, Conductance g_max);

}  // namespace tellegen::devices
