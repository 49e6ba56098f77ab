#pragma once
// Activation functions of one number in double, with derivatives: the mathematics that gates are compared with.

#include <span>
#include <string_view>

namespace tellegen::models::gating {

/// The function; what its parameters a and b of `Activation` mean is said behind it.
enum class ActivationKind {
  identity,
  relu,
  leaky_relu,  ///< a: slope below 0
  elu,         ///< a: minus the limit at -infinity
  sigmoid,
  tanh,
  swish,         ///< x sigmoid(a x); SiLU has a = 1, the quick GELU 1.702
  gelu_erf,      ///< x Phi(x), Phi the normal distribution function
  gelu_tanh,     ///< the form of GPT-2: x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2
  hard_sigmoid,  ///< (x + 3) / 6 between 0 and 1
  hard_swish,    ///< x hard_sigmoid(x)
  hard_tanh,     ///< x between a and b; ReLU6 has a = 0, b = 6
  softplus,
  mish,       ///< x tanh(softplus(x))
  tanh_sech,  ///< tanh(x) sech(x), the closed-tail gate of MemGLU
  sech,
  x_sech
};

struct Activation {
  ActivationKind kind = ActivationKind::identity;
  double a = 0, b = 0;
  bool operator==(const Activation&) const = default;
};

/// f(x).
double value(const Activation& activation, double x);
/// f'(x); at a kink what holds on the side where f is flatter (0 for relu, a for leaky_relu, the outside of the hard ones).
double derivative(const Activation& activation, double x);

/// 1 / (1 + exp(-x)) without overflow, within 2 units in the last place.
double sigmoid(double x);
/// log(1 + exp(x)) without overflow.
double softplus(double x);
/// The normal distribution function.
double normal_cdf(double x);

struct ActivationEntry {
  std::string_view name;
  Activation activation;
  std::string_view sentence;
};
/// Activations that published networks use, by name.
std::span<const ActivationEntry> activation_catalog();
/// The entry of that name; an InputError with a proposal where there is none.
const Activation& activation_named(std::string_view name);

}  // namespace tellegen::models::gating
