#pragma once
// The shape of an activation: its straight tails, where its curvature changes sign, and how many branches its tails demand.

#include <vector>

#include "tellegen/models/gating/activation.h"

namespace tellegen::models::gating {

/// f and its first three derivatives at one point.
struct Derivatives {
  double f = 0, first = 0, second = 0, third = 0;
};
/// At a kink: those of the side that derivative() in activation.h takes.
Derivatives derivatives(const Activation& activation, double x);

/// f(x) goes to slope x + constant.
struct Line {
  double slope = 0, constant = 0;
  bool operator==(const Line&) const = default;
};
struct Asymptotes {
  Line left, right;
};
Asymptotes asymptotes(const Activation& activation);

/// The fewest branches of a gate with exact tails: 1 for a line, 2 where the tails differ, 3 where they are the same line
/// (K = 2 would then be that line). It says nothing about the error in between.
int minimal_branches(const Activation& activation);

/// Where f'' changes sign through 0, by ascending x in [-8, 8]; kinks are none.
struct Inflection {
  double theta = 0;
  double f = 0, slope = 0;
  double kappa = 0;  ///< |f'''|
};
std::vector<Inflection> inflections(const Activation& activation);

/// The largest |f'''| on [-8, 8] and where it is (of equal ones, the one furthest right), for activations without kinks.
struct LargestThird {
  double value = 0, at = 0;
};
LargestThird largest_third_derivative(const Activation& activation);

}  // namespace tellegen::models::gating
