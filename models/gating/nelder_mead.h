#pragma once
// Minimisation without derivatives (NLopt's Nelder-Mead), started again from its result until nothing is gained.

#include <functional>
#include <span>
#include <vector>

namespace tellegen::models::gating {

struct SearchSpace {
  std::vector<double> start, step;   ///< first point and first size of the simplex, one per parameter
  std::vector<double> lower, upper;  ///< bounds; empty where there are none
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
  int evaluations = 0;
};

/// A local minimum of `function`, which may be infinite or not a number where it must not go. Same bits for same inputs.
Minimum nelder_mead(const std::function<double(std::span<const double>)>& function, const SearchSpace& space);

}  // namespace tellegen::models::gating
