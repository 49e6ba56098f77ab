#pragma once
// Quantities of polarised films.

#include "tellegen/base/units.h"

namespace tellegen::devices {

using Polarization = Quantity<-2, 0, 1, 1, 0>;    ///< C/m^2; 1 uC/cm2 = 0.01
using ElectricField = Quantity<1, 1, -3, -1, 0>;  ///< V/m; 1 MV/cm = 1e8
using Resistivity = Quantity<3, 1, -3, -2, 0>;    ///< ohm m

}  // namespace tellegen::devices
