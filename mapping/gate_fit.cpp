#include "tellegen/mapping/gate_fit.h"

#include "tellegen/base/error.h"
#include "tellegen/models/gating/forms.h"

namespace tellegen::mapping {
namespace {

namespace gating = models::gating;
using circuits::GateFunction;
using models::Pointwise;

circuits::GateKernel kernel_of(gating::Kernel kernel) {
  switch (kernel) {
    case gating::Kernel::logistic:
      return circuits::GateKernel::logistic;
    case gating::Kernel::hard:
      return circuits::GateKernel::hard;
    case gating::Kernel::ramp:
      return circuits::GateKernel::ramp;
    case gating::Kernel::erf:
      return circuits::GateKernel::erf;
  }
  throw std::logic_error("a kernel without a name");
}

circuits::GateForm form_of(gating::Construction construction) {
  switch (construction) {
    case gating::Construction::telescoping:
    case gating::Construction::unequal:
      return circuits::GateForm::difference;
    case gating::Construction::cascade:
      return circuits::GateForm::nested;
    case gating::Construction::normalised:
      return circuits::GateForm::normalised;
  }
  throw std::logic_error("a construction without a name");
}

GateFunction translated(const gating::ThresholdGate& from) {
  GateFunction gate;
  gate.kernel = kernel_of(from.kernel);
  gate.form = form_of(from.construction);
  gate.slopes = from.slope;
  gate.constants = from.constant;
  gate.thresholds = from.theta;
  gate.sharpness.clear();
  for (std::size_t m = 0; m < from.theta.size(); ++m)
    gate.sharpness.push_back(from.kernel == gating::Kernel::hard ? 1 : from.sharpness(m));
  return gate;
}

/// clamp(a x + b, 0, 1): hard pieces for any slope and offset.
gating::ThresholdGate hard_sigmoid(double a, double b) {
  gating::ThresholdGate gate;
  gate.kernel = gating::Kernel::hard;
  gate.theta = {-b / a, (1 - b) / a};
  gate.slope = {0, a, 0};
  gate.constant = {0, b, 1};
  return gate;
}

std::optional<gating::ThresholdGate> exact(gating::ActivationKind kind, double a = 0, double b = 0) {
  return gating::exact_gate({kind, a, b});
}

}  // namespace

std::optional<gating::ThresholdGate> threshold_gate_of(const Pointwise& activation) {
  using Kind = Pointwise::Kind;
  using Of = gating::ActivationKind;
  const double a = static_cast<double>(activation.a()), b = static_cast<double>(activation.b());
  switch (activation.kind()) {
    case Kind::relu:
      return exact(Of::relu);
    case Kind::leaky_relu:
      return exact(Of::leaky_relu, a);
    case Kind::clip:
      return exact(Of::hard_tanh, a, b);
    case Kind::sigmoid:
      return exact(Of::sigmoid);
    case Kind::hard_sigmoid:
      return hard_sigmoid(a, b);
    case Kind::tanh:
      return exact(Of::tanh);
    case Kind::silu:
      return exact(Of::swish, 1);
    case Kind::swish:
      return exact(Of::swish, a);
    case Kind::hard_swish:
      return exact(Of::hard_swish);
    case Kind::gelu_erf:
      return gating::form_named("gelu_k3_tails_normal_1").gate;
    case Kind::gelu_tanh:
      return gating::form_named("gelu_tanh_k3_tails_normal_1").gate;
    case Kind::elu:
    case Kind::softplus:
    case Kind::mish:
    case Kind::tanh_sech:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<GateFunction> gate_of(const models::Operation& activation) {
  const auto* pointwise = dynamic_cast<const Pointwise*>(&activation);
  if (pointwise == nullptr) return std::nullopt;
  if (pointwise->kind() == Pointwise::Kind::tanh_sech)
    return circuits::tanh_sech_gate(static_cast<double>(pointwise->a()));
  const std::optional<gating::ThresholdGate> gate = threshold_gate_of(*pointwise);
  if (!gate) return std::nullopt;
  return translated(*gate);
}

}  // namespace tellegen::mapping
