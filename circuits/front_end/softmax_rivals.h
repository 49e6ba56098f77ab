#pragma once
// What the same softmax costs in digital logic, for each set of units in the cost tables.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

struct SoftmaxRival {
  std::string set;  ///< as in `costs.activation`
  Price element;    ///< of one element of a row; a row of n takes n of them
};
/// `folder` holds the cost tables. Reading inputs and writing results back is not in the price, nor are converters.
std::vector<SoftmaxRival> digital_softmax(const std::filesystem::path& folder, Length node);

}  // namespace tellegen::circuits
