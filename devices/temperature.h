#pragma once
// Thermally activated change: ratios of exp(-E / kT) at two temperatures.

#include "tellegen/base/units.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {

/// Exponent of the ratio between `at` and `reference`: -E / k (1 / T - 1 / T_reference). Also the logarithm of the
/// acceleration of a bake.
inline double arrhenius_exponent(Energy activation, Temperature at, Temperature reference) {
  return -activation.si() / boltzmann_J_per_K * (1 / at.si() - 1 / reference.si());
}

}  // namespace tellegen::devices
