#pragma once
// The threshold gate (TG): y(x) = sum_k g_k(x) (s_k x + c_k) with K gates g_k that add up to 1. Branches are numbered from
// left to right: k = 0 is where x goes to -infinity.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace tellegen::models::gating {

/// sigma(u), u = tau (x - theta): how a threshold opens, from 0 to 1.
enum class Kernel {
  logistic,  ///< 1 / (1 + exp(-u)): an exponential differential pair
  hard,      ///< 0, 1/2, 1 below, at and above the threshold: a comparator; tau is infinite
  ramp,      ///< u + 1/2 between 0 and 1
  erf        ///< the normal distribution function of u
};

/// How K - 1 thresholds make K gates. With K = 2 all are the same.
enum class Construction {
  telescoping,  ///< g_k = sigma_{k-1} - sigma_k with one tau, so no gate is negative; linear in the K - 1 pair currents
  cascade,      ///< g_k = sigma_0 .. sigma_{k-1} (1 - sigma_k): stacked pairs, each fed by an output of the one below
  normalised,   ///< g_k / g_{k-1} = exp(u_k): K legs that share one tail; thresholds in any order
  unequal       ///< telescoping with a tau for each threshold: gates add up to 1 but may be negative ("signed")
};

/// What the gates multiply.
enum class Family {
  affine,         ///< nothing is gated (K = 1)
  constant,       ///< all slopes are equal: gates carry constants only (sigmoid, tanh, softmax)
  multiplicative  ///< slopes differ: gates carry x (ReLU, SiLU, GELU)
};

struct ThresholdGate {
  Kernel kernel = Kernel::logistic;
  Construction construction = Construction::telescoping;
  std::vector<double> tau;       ///< one for all thresholds, or one per threshold; none with K = 1
  std::vector<double> theta;     ///< K - 1
  std::vector<double> slope;     ///< K
  std::vector<double> constant;  ///< K
  std::size_t branches() const { return slope.size(); }
  /// The sharpness of threshold m.
  double sharpness(std::size_t m) const { return tau.size() == 1 ? tau[0] : tau[m]; }
  bool operator==(const ThresholdGate&) const = default;
};

/// An InputError that says what is wrong with `gate`, if anything is. Whoever takes a gate from outside calls it.
void validate(const ThresholdGate& gate);

/// The K gates at x, written to `gates`.
void gate_values(const ThresholdGate& gate, double x, std::span<double> gates);
std::vector<double> gate_values(const ThresholdGate& gate, double x);
/// y(x).
double value(const ThresholdGate& gate, double x);

Family family(const ThresholdGate& gate);

/// A gate of one threshold, written from left to right.
ThresholdGate single_threshold(Kernel kernel, double tau, double theta, std::vector<double> slope,
                               std::vector<double> constant);

std::string_view name(Kernel kernel);
std::string_view name(Construction construction);
std::string_view name(Family family);

}  // namespace tellegen::models::gating
