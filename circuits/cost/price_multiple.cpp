#include "tellegen/circuits/cost/price_multiple.h"

#include <utility>

namespace tellegen::circuits {

Price multiple(Price price, double actions, double instances) {
  price.energy_J = actions * price.energy_J;
  price.area_m2 = instances * price.area_m2;
  price.static_W = instances * price.static_W;
  return price;
}

Price multiple(Price price, double actions, double instances, const std::string& name) {
  price = multiple(std::move(price), actions, instances);
  price.formula = name + " * (" + price.formula + ")";
  price.inputs.emplace_back(name, actions);
  return price;
}

Price with_factors(Price price, double energy, double area) {
  if (energy != 1) {
    price.energy_J = energy * price.energy_J;
    price.static_W = energy * price.static_W;
    price.formula = "energy_scale * (" + price.formula + ")";
    price.inputs.emplace_back("energy_scale", energy);
  }
  if (area != 1) {
    price.area_m2 = area * price.area_m2;
    price.inputs.emplace_back("area_scale", area);
  }
  return price;
}

}  // namespace tellegen::circuits
