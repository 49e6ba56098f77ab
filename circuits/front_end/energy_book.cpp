#include "tellegen/circuits/front_end/energy_book.h"

#include <cmath>

namespace tellegen::circuits {

double EnergyBook::sum(const std::vector<Item>& items) {
  double total = 0;
  for (const Item& item : items) total += item.energy_J;
  return total;
}

double EnergyBook::imbalance() const {
  return std::abs(supply_J() - dissipated_J() - stored_J() - delivered_J()) / supply_J();
}

}  // namespace tellegen::circuits
