#pragma once
// Parts and counts to totals.

#include <span>
#include <string>

#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

/// `instances` of a component that together do `actions` actions in the time looked at.
struct Part {
  std::string name;
  Price price;
  double instances = 1;
  double actions = 0;
};

struct Total {
  Band energy_J;  ///< actions only; static power is apart because it needs the time
  Band area_m2;
  Band static_W;
};

/// Sums in the order given. With actions per second, energy_J is the dynamic power in watts.
Total roll_up(std::span<const Part> parts);

/// `count` of the same thing.
Total operator*(double count, const Total& total);
Total operator+(Total a, const Total& b);

}  // namespace tellegen::circuits
