#pragma once
// What a front-end is to compute, as plain numbers in units of x and y: circuits know no networks.

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tellegen::circuits {

enum class GateKernel { logistic, hard, ramp, erf };
std::span<const std::pair<GateKernel, const char*>> enum_names(GateKernel);

/// How K gates come from K - 1 sigmoids sigma_m = h(tau_m (x - theta_m)), sigma_0 = 1, sigma_K = 0.
///  difference: g_k = sigma_{k-1} - sigma_k                       (separate pairs, currents subtracted)
///  nested:     g_k = (product of sigma_m, m < k) (1 - sigma_k)   (stacked pairs)
///  normalised: g_k = b_k / sum b, b_k = exp(sum_{m<k} tau_m (x - theta_m))   (K source-coupled transistors)
enum class GateForm { difference, nested, normalised };
std::span<const std::pair<GateForm, const char*>> enum_names(GateForm);

/// y(x) = sum_k g_k(x) (slopes[k] x + constants[k]), branches from left (x -> -inf) to right, or the MemGLU gate
/// y(x) = amplitude tanh(x) sech(x), of which only `amplitude` counts.
struct GateFunction {
  enum class Shape { threshold_gate, tanh_sech };
  Shape shape = Shape::threshold_gate;
  GateKernel kernel = GateKernel::logistic;
  GateForm form = GateForm::difference;
  std::vector<double> slopes{0, 0}, constants{0, 1};  ///< K each
  std::vector<double> thresholds{0};                  ///< K - 1, ascending
  std::vector<double> sharpness{1};                   ///< tau of each threshold, above 0; equal but in signed gates
  double amplitude = 1;

  std::size_t branches() const { return slopes.size(); }
  /// All slopes 0: every tail current is fixed.
  bool is_constant_family() const;
  double operator()(double x) const;
};

/// Throws InputError unless numbers of branches, thresholds and sharpnesses fit, thresholds ascend and all is finite.
void check(const GateFunction& gate);

/// Frequent gates, exact: y = sigma(x), tanh x, x sigma(tau x), max(x, 0).
GateFunction sigmoid_gate();
GateFunction tanh_gate();
GateFunction swish_gate(double tau);
GateFunction relu_gate();
GateFunction tanh_sech_gate(double amplitude);

}  // namespace tellegen::circuits
