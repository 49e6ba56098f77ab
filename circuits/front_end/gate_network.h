#pragma once
// Which pairs, with which tail currents, make up a threshold gate. Currents are counted in units of y.
//
//   y = base + sum over pairs of weight * tail * (share - pedestal)
//
// A current has one sign, so a tail that is to carry a signal t of both signs takes one of three ways:
//   two_pair   tails t + B and B, outputs I_1, subtracted:            y = (t + B) g - B g
//   class_ab   tails t+ and t-, t+ - t- = t, t+ t- = Q^2:              y = t+ g - t- g
//   gilbert    tails B + t/4 and B - t/4, outputs I_1 - I_2, crossed:  y = t/2 + (B + t/4)(2 g - 1) - (B - t/4)(2 g - 1)

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "tellegen/circuits/front_end/gate_function.h"

namespace tellegen::circuits {

enum class SignedTail { two_pair, class_ab, gilbert };
std::span<const std::pair<SignedTail, const char*>> enum_names(SignedTail);

/// Tail current at the signal s = constant + slope x: s itself, or one half of a class-AB split.
struct TailLaw {
  double constant = 0, slope = 0;
  int split = 0;         ///< +1, -1: the half that carries that sign; 0: not split
  double quiescent = 0;  ///< Q of class AB
  bool carries_signal() const { return slope != 0; }
  /// Never below 0.
  double current(double x) const;
};

struct NetworkPair {
  std::size_t threshold = 0;  ///< which of the gate
  TailLaw tail;               ///< of a pair at the bottom of a stack
  double weight = 1;          ///< 0: only feeds the pair above it
  double pedestal = 0;        ///< 0: output I_1; 1/2: output I_1 - I_2
  int stacked_on = -1;        ///< the pair whose output current is the tail, or -1
  int level = 0;              ///< pairs below it in its stack
};

struct GateNetwork {
  double base_slope = 0, base_constant = 0;  ///< currents that go to the output past the pairs, pedestals included
  std::vector<NetworkPair> pairs;            ///< a pair stands behind the one that it is stacked on
  double largest_tail = 0;                   ///< over |x| <= full_scale
};

/// For a threshold gate of difference or nested form, any kernel; |x| <= full_scale is what tails can carry; quiescent
/// is Q over the largest signal of a class-AB tail. Throws InputError for the normalised form and tanh-sech gates.
GateNetwork make_network(const GateFunction& gate, SignedTail signed_tail, double full_scale, double quiescent);

}  // namespace tellegen::circuits
