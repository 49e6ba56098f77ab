#pragma once
// The MemGLU gate tanh g sech g as a static circuit: a differential pair with tail I_b gives I_1 and I_2; a translinear
// loop takes their geometric mean I_g, two more multiply it by I_1 and by I_2 and divide by I_b, and a mirror subtracts:
//
//   I_out = (I_1 - I_2) sqrt(I_1 I_2) / I_b = (I_b / 2) tanh u sech u,   u = dV / (2 n kT/q)
//
// exact in weak inversion. In all regions here: pair, loops and mirrors are EKV transistors, each with a threshold and
// a size of its own. In normalised form, voltages in kT/q (at the gate, divided by n) and currents in I_spec.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tellegen::circuits {

/// What one transistor of the gate is: a threshold shift [n kT/q] and a size, 1 without mismatch.
struct GateTransistor {
  double shift = 0;
  double size = 1;
};

/// Every transistor of the circuit, in the order of translinear_names().
inline constexpr std::size_t translinear_transistors = 29;
using TranslinearTransistors = std::array<GateTransistor, translinear_transistors>;
/// "pair 1", "tail", "mean out", ...
const std::array<const char*, translinear_transistors>& translinear_names();

/// The two of the differential pair: an error of theirs only moves the input.
bool is_of_the_pair(std::size_t transistor);

/// Currents in I_spec.
struct TranslinearPoint {
  double i_1 = 0, i_2 = 0;                                ///< of the pair
  double i_mean = 0;                                      ///< sqrt(i_1 i_2) in weak inversion
  double i_plus = 0, i_minus = 0;                         ///< i_mean i_1 / tail, i_mean i_2 / tail
  double i_out = 0;                                       ///< i_plus - i_minus after the last mirror
  std::array<double, translinear_transistors> current{};  ///< of each transistor
};

/// The circuit at dv = dV / (n kT/q), driven by the reference current `tail` (I_b / I_spec).
TranslinearPoint translinear_gate(double dv, double tail, const TranslinearTransistors& transistors = {});

/// A branch from supply to ground: its name and which multiple of what flows.
struct BranchCurrent {
  std::string name;
  double current = 0;
};
/// Every branch that the supply feeds; transistors in one branch carry one current.
std::vector<BranchCurrent> translinear_branches(const TranslinearPoint& point);

/// d i_out / d shift of each transistor, by central differences: what mismatch and noise are weighted with.
std::array<double, translinear_transistors> translinear_sensitivity(double dv, double tail,
                                                                    const TranslinearTransistors& transistors = {});

}  // namespace tellegen::circuits
