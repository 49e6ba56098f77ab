#pragma once
// The scalar functions that digital units and non-linear converters compute, exactly, with their turning points.

#include <span>
#include <utility>
#include <vector>

namespace tellegen::circuits {

enum class ActivationFunction {
  sigmoid,      ///< 1 / (1 + e^-x)
  tanh,         ///< hyperbolic tangent
  silu,         ///< x sigmoid(x)
  gelu,         ///< x Phi(x), Phi the normal distribution
  tanh_sech,    ///< tanh(x) / cosh(x)
  exponential,  ///< e^x
  power_of_two  ///< 2^x: the exponential of a softmax to base 2
};
std::span<const std::pair<ActivationFunction, const char*>> enum_names(ActivationFunction);
std::span<const ActivationFunction> activation_functions();

double evaluate(ActivationFunction function, double x);
double derivative(ActivationFunction function, double x);
/// Where the derivative is zero, ascending; empty for a monotone function.
std::vector<double> turning_points(ActivationFunction function);

/// Least and greatest value over [low, high].
std::pair<double, double> value_range(ActivationFunction function, double low, double high);

}  // namespace tellegen::circuits
