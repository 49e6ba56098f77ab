#pragma once
// Four-quadrant product of two currents: two diodes predistort u, two cross-coupled pairs steer the tails that carry g.
//
//   i_a, i_b = (1 +- u) / 2,   tails (1 +- g) / 2,   out = g u     (in units of the bias; exact in weak inversion)
//
// In all regions, the transistors being equal, diodes and pairs no longer undo each other.

#include <array>

namespace tellegen::circuits {

/// Of the two diodes (a, b) and the pairs (1a, 1b, 2a, 2b): threshold shift in n kT/q, and size.
struct GilbertTransistors {
  std::array<double, 6> shift{}, size{1, 1, 1, 1, 1, 1};
};

/// Product over the bias at -1 < g, u < 1; `tail` is the bias in I_spec.
double gilbert_product(double g, double u, double tail, const GilbertTransistors& transistors = {});

}  // namespace tellegen::circuits
