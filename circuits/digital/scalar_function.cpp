#include "tellegen/circuits/digital/scalar_function.h"

#include <algorithm>

namespace tellegen::circuits {

ScalarFunction::ScalarFunction(ActivationFunction function)
    : value_([function](double x) { return evaluate(function, x); }),
      turning_points_(circuits::turning_points(function)) {}

ScalarFunction::ScalarFunction(std::function<double(double)> value, std::vector<double> turning_points)
    : value_(std::move(value)), turning_points_(std::move(turning_points)) {}

std::pair<double, double> ScalarFunction::range(double low, double high) const {
  std::pair<double, double> range = std::minmax(value_(low), value_(high));
  for (const double at : turning_points_) {
    if (at <= low || at >= high) continue;
    range.first = std::min(range.first, value_(at));
    range.second = std::max(range.second, value_(at));
  }
  return range;
}

}  // namespace tellegen::circuits
