#pragma once
// Circuits for the gates of a network: one design for each function.

#include <memory>
#include <vector>

#include "tellegen/base/units.h"
#include "tellegen/circuits/front_end/front_end.h"

namespace tellegen::mapping {

/// A circuit that works on x_scale times x, so that the layer's range fills its own.
struct FittedGate {
  std::shared_ptr<const circuits::FrontEnd> circuit;
  double x_scale = 1;
};

class GateDesigns {
 public:
  GateDesigns(const circuits::FrontEndConfig& front_end, Temperature temperature)
      : front_end_(front_end), temperature_(temperature) {}
  /// For inputs of magnitude up to `largest`; 0: the circuit as it is. Only currents that carry x have a range; gates of the
  /// constant family and of MemGLU keep their scale. Throws as FrontEndParameters::make.
  FittedGate fit(const circuits::GateFunction& gate, double largest);

 private:
  std::shared_ptr<const circuits::FrontEnd> find(const circuits::GateFunction& gate);

  const circuits::FrontEndConfig& front_end_;
  Temperature temperature_;
  std::vector<std::shared_ptr<const circuits::FrontEnd>> made_;
};

}  // namespace tellegen::mapping
