#pragma once
// Prices of several of one thing, and prices that the user corrects.

#include <string>

#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

/// `actions` actions and `instances` instances of a component as one of each.
Price multiple(Price price, double actions, double instances);
/// The same, and the formula says so: `name` is what actions are counted in.
Price multiple(Price price, double actions, double instances, const std::string& name);
/// With the user's factors, which are shown where they change something.
Price with_factors(Price price, double energy, double area);

}  // namespace tellegen::circuits
