#pragma once
// The catalogue of threshold gates for known activations: exact tuples and best fits, each with what it is the best for and
// how far it is off. Stated errors are facts to look up; the tests compute them again.

#include <optional>
#include <span>
#include <string>

#include "tellegen/models/gating/activation.h"
#include "tellegen/models/gating/threshold_gate.h"

namespace tellegen::models::gating {

/// What the free numbers of a form were chosen for.
enum class Goal {
  exact,            ///< nothing is approximated
  minimax,          ///< the least maximum of |error| on [-8, 8]
  rms_uniform_8,    ///< the least rms error, uniform on [-8, 8]
  rms_normal_1,     ///< the least rms error under N(0, 1)
  rms_normal_2,     ///< the least rms error under N(0, 2^2)
  minimax_of_gate,  ///< the least maximum of |gate - normal distribution function|, not of the product with x
};

/// Errors against the target; 0 for exact forms.
struct FormErrors {
  double maximum = 0;    ///< of |error| on [-8, 8]
  double uniform_8 = 0;  ///< rms, uniform on [-8, 8]
  double normal_1 = 0;   ///< rms under N(0, 1)
  double normal_2 = 0;   ///< rms under N(0, 2^2)
};

struct Form {
  std::string name;
  std::string sentence;
  std::string source;
  Activation target;
  Goal goal = Goal::exact;
  FormErrors errors;
  ThresholdGate gate;
};

/// All forms: exact ones first.
std::span<const Form> form_catalog();
/// The form of that name; an InputError with a proposal where there is none.
const Form& form_named(std::string_view name);

/// The threshold gate that is `activation`, with its parameters; nothing where no gate is exact (GELU by tanh, ELU,
/// softplus, Mish, closed tails).
std::optional<ThresholdGate> exact_gate(const Activation& activation);

std::string_view name(Goal goal);

}  // namespace tellegen::models::gating
