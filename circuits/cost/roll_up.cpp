#include "tellegen/circuits/cost/roll_up.h"

namespace tellegen::circuits {

Total roll_up(std::span<const Part> parts) {
  Total total;
  for (const Part& part : parts) {
    total.energy_J += part.actions * part.price.energy_J;
    total.area_m2 += part.instances * part.price.area_m2;
    total.static_W += part.instances * part.price.static_W;
  }
  return total;
}

Total operator*(double count, const Total& total) {
  return {count * total.energy_J, count * total.area_m2, count * total.static_W};
}

Total operator+(Total a, const Total& b) {
  a.energy_J += b.energy_J;
  a.area_m2 += b.area_m2;
  a.static_W += b.static_W;
  return a;
}

}  // namespace tellegen::circuits
