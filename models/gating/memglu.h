#pragma once
// The closed-tail gate of MemGLU (Y. Ge, P. Yang, M. Nie, arXiv 2608.07323): phi(g) = c0 tanh(g) sech(g). Odd, slope c0 at 0,
// peak c0 / 2 at g = arsinh 1, tails 2 c0 exp(-|g|). And the questions asked about open positive tails: what happens beyond
// the peak, and what if it is cut.

#include <span>

#include "tellegen/models/gating/activation.h"

namespace tellegen::models::gating {

/// arsinh 1 = log(1 + sqrt 2), where tanh = sech = 1 / sqrt 2; the double just above it.
inline constexpr double kMemgluPeak = 0.881373587019543025;

double memglu_gate(double g, double c0 = 1);
double memglu_gate_slope(double g, double c0 = 1);

/// The same from the two branch currents of an exponential pair of unit tail, I1 = sigmoid(2g) and I2 = 1 - I1:
/// 2 (I1 - I2) sqrt(I1 I2). Exact.
double translinear_gate(double g);

/// xi sqrt(1 - xi^2), |xi| <= 1: half the difference between the two branches of a half cycle of a linear flux-controlled
/// memristor at the voltage xi V, over g k V^2 / omega (dw/dt = k v, i = (G0 + g w) v, v = V sin(omega t)). It is the gate
/// where xi = tanh g.
double branch_separation(double xi);

/// sqrt(E[phi(z)^2]), z normal with mean 0 and this standard deviation (> 0), to rounding.
double normal_rms(const Activation& phi, double standard_deviation);
/// The c0 that gives the gate the rms of SiLU at this standard deviation of the gate's input.
double matched_c0(double standard_deviation);

/// What is done to SiLU beyond the peak of the closed-tail gate. These definitions are ours.
enum class TailIntervention {
  none,
  cap,    ///< SiLU(min(g, peak))
  decay,  ///< SiLU(peak) 2 tanh(g) sech(g) beyond the peak: continuous
  remove  ///< 0 beyond the peak
};
double silu_with(TailIntervention intervention, double g);

/// Which inputs are in the tail.
enum class TailRegion {
  positive,   ///< g beyond the peak
  two_sided,  ///< |g| beyond the peak
};
struct TailShare {
  double occupancy = 0;  ///< share of the inputs in the tail
  double energy = 0;     ///< share of the sum of squares of the outputs that comes from there
};
/// For normal inputs.
TailShare normal_tail(const Activation& phi, double standard_deviation, TailRegion region);
/// For recorded gate inputs; `up` empty: of phi(g), else of the product phi(g) up, with one value per input. An InputError
/// where there are no samples or sizes differ.
TailShare recorded_tail(const Activation& phi, std::span<const float> gates, std::span<const float> up,
                        TailRegion region);

}  // namespace tellegen::models::gating
