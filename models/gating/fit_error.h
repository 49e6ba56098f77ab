#pragma once
// How far one function is from another. An error without its range or distribution means nothing: both belong to the
// samples.

#include <cstddef>
#include <functional>
#include <vector>

namespace tellegen::models::gating {

using RealFunction = std::function<double(double)>;

/// Points with weights that add up to 1.
struct Samples {
  std::vector<double> x, weight;
};
/// `count` >= 2 evenly spaced points of [low, high], all of the same weight.
Samples uniform_samples(double low, double high, std::size_t count);
/// `count` evenly spaced points of +-span standard deviations, weighted as a normal distribution around 0.
Samples normal_samples(double standard_deviation, std::size_t count, double span = 9);
/// Measured points of equal weight; an InputError where there are none or one is not finite.
Samples measured_samples(std::vector<double> x);

struct FitError {
  double maximum = 0;   ///< largest |error| at any of the points, whatever its weight
  double at = 0;        ///< where it is
  double rms = 0;       ///< root of the weighted mean square
  double relative = 0;  ///< rms over the rms of the target; 0 where the target is 0
};
FitError fit_error(const Samples& samples, const RealFunction& target, const RealFunction& fit);

}  // namespace tellegen::models::gating
