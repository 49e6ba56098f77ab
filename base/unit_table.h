#pragma once
// Every unit that may stand in a configuration or a report. To add one, add a line to unit_table.cpp.

#include <span>

#include "tellegen/base/units.h"

namespace tellegen {

enum class UnitRole {
  usual,    ///< proposed in messages, and printed
  fitting,  ///< proposed in messages; printed where the size of the value asks for it
  printed,  ///< printed where the size of the value asks for it
  read,     ///< understood, never printed
};

/// One unit is factor * 10^exponent in SI. `factor` is 1 but for units that are no power of ten.
struct Unit {
  const char* name;
  Dimension dimension;
  int exponent;
  UnitRole role;
  double factor = 1.0;
};

/// Units of one dimension stand together, smallest first.
std::span<const Unit> unit_table();

}  // namespace tellegen
