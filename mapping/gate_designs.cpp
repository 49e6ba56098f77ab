#include "tellegen/mapping/gate_designs.h"

#include <algorithm>
#include <cmath>

namespace tellegen::mapping {
namespace {

bool same_gate(const circuits::GateFunction& a, const circuits::GateFunction& b) {
  return a.shape == b.shape && a.amplitude == b.amplitude && a.kernel == b.kernel && a.slopes == b.slopes &&
         a.constants == b.constants && a.thresholds == b.thresholds && a.sharpness == b.sharpness;
}

double scale_onto(const circuits::FrontEnd& front_end, double largest) {
  const double range = front_end.limits().x_high;
  if (largest <= 0 || front_end.gate().shape != circuits::GateFunction::Shape::threshold_gate ||
      front_end.gate().is_constant_family() || !std::isfinite(range))
    return 1;
  return range / largest;
}

/// The gate as a function of scale * x.
circuits::GateFunction scaled(circuits::GateFunction gate, double scale) {
  for (double& theta : gate.thresholds) theta *= scale;
  for (double& tau : gate.sharpness) tau /= scale;
  for (double& slope : gate.slopes) slope /= scale;
  return gate;
}

}  // namespace

FittedGate GateDesigns::fit(const circuits::GateFunction& gate, double largest) {
  FittedGate fitted{find(gate), 1};
  fitted.x_scale = scale_onto(*fitted.circuit, largest);
  if (fitted.x_scale != 1) fitted.circuit = find(scaled(fitted.circuit->gate(), fitted.x_scale));
  return fitted;
}

std::shared_ptr<const circuits::FrontEnd> GateDesigns::find(const circuits::GateFunction& gate) {
  const auto known =
      std::find_if(made_.begin(), made_.end(), [&](const auto& made) { return same_gate(made->gate(), gate); });
  if (known != made_.end()) return *known;
  made_.push_back(front_end_.make(gate, temperature_));
  return made_.back();
}

}  // namespace tellegen::mapping
