#pragma once
// A front-end whose output is a sum of curves, each moved sideways and scaled by the errors of its unit:
//
//   y = sum_j (gain_j + e_gain) m_j(x) curve_j(x - e_shift),   m_j = 1 or x
//
// Curves are computed once by the circuit's own equations and read from tables of cubic pieces afterwards.

#include <functional>
#include <optional>

#include "tellegen/circuits/front_end/front_end.h"

namespace tellegen::circuits {

struct GateTerm {
  std::function<double(double)> curve;
  bool times_x = false;
  double gain = 1;
  std::optional<std::size_t> shift_plane;  ///< number of the error plane that moves the curve, in x
  std::optional<std::size_t> gain_plane;   ///< that adds to the gain
};

/// What a design has to say.
struct TabulatedDesign {
  GateFunction gate;
  std::vector<GateTerm> terms;
  std::vector<ErrorPlane> planes;
  /// Makes the errors of one unit, plane by plane, out of as many standard normal draws; absent: the deviation of the
  /// plane times its draw.
  std::function<void(std::span<float> draws)> errors_of_draws;
  InputLimits limits;
  std::function<double(double)> output_noise;  ///< standard deviation of y at x
  FrontEndNoise noise;
  FrontEndCost cost;
  std::function<EnergyBook(double x_before, double x, double duration_s)> energy;
};

std::unique_ptr<FrontEnd> make_tabulated_gate(TabulatedDesign design);

}  // namespace tellegen::circuits
