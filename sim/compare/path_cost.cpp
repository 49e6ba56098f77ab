#include <algorithm>

#include "tellegen/sim/compare/path.h"

namespace tellegen::compare {

PathCost cost_of(const Path& path) {
  PathCost total;
  double turns_s = 0;
  for (const LaneCost& cost : path.costs) {
    total.latency_s += cost.price.latency_s;
    turns_s = std::max(turns_s, (cost.shared_by - 1) * cost.price.latency_s);
  }
  total.latency_s += turns_s;
  for (const LaneCost& cost : path.costs) {
    ComponentCost component;
    component.component = cost.component;
    component.actions = cost.actions;
    component.instances = cost.instances;
    component.shared_by = cost.shared_by;
    component.sharable = cost.sharable;
    component.energy_J = cost.actions * cost.price.energy_J + cost.instances * total.latency_s * cost.price.static_W;
    component.area_m2 = cost.instances * cost.price.area_m2;
    component.source = cost.price.from.source;
    component.spread = cost.price.from.spread;
    total.energy_J += component.energy_J;
    total.area_m2 += component.area_m2;
    for (const std::string& warning : cost.price.from.warnings) {
      if (std::find(total.warnings.begin(), total.warnings.end(), warning) == total.warnings.end())
        total.warnings.push_back(warning);
    }
    total.components.push_back(std::move(component));
  }
  return total;
}

}  // namespace tellegen::compare
