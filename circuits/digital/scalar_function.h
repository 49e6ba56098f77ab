#pragma once
// A function of one number as converters need it: its values, and where it turns.

#include <functional>
#include <utility>
#include <vector>

#include "tellegen/circuits/digital/activation_function.h"

namespace tellegen::circuits {

/// Continuous, and monotone between its turning points.
class ScalarFunction {
 public:
  /// One of those that digital units compute.
  ScalarFunction(ActivationFunction function);
  /// `turning_points` ascending.
  explicit ScalarFunction(std::function<double(double)> value, std::vector<double> turning_points = {});

  double operator()(double x) const { return value_(x); }
  const std::vector<double>& turning_points() const { return turning_points_; }
  /// Least and greatest value over [low, high].
  std::pair<double, double> range(double low, double high) const;

 private:
  std::function<double(double)> value_;
  std::vector<double> turning_points_;
};

}  // namespace tellegen::circuits
