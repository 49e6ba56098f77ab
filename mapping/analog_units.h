#pragma once
// Which activations and softmaxes of a network circuits between converters compute, with which circuits, and why not the
// others.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/units.h"
#include "tellegen/mapping/boundary.h"
#include "tellegen/mapping/chip.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// Sets `plan.analog_units` as chip.analog_units asks for, from the activations that are left in `gated` as nodes of their own, and its
/// softmaxes. `edges` of activations say by which circuit or why not; softmaxes get edges of their own. `largest` is that
/// of place_boundaries. Throws InputError where a circuit is asked for and nothing is there for it, or where DACs cannot
/// drive it, RefusedError where a row of a softmax is too long for it or a design has no headroom.
void place_analog_units(Plan& plan, const models::Network& gated, std::vector<Edge>& edges, const ChipConfig& chip,
                        Temperature temperature, std::span<const double> largest = {});

/// The unit of a node; null where it has none.
const AnalogUnit* analog_unit_of(const Plan& plan, std::size_t node);

}  // namespace tellegen::mapping
