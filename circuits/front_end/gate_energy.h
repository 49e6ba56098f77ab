#pragma once
// Supply branches, elements and charges of a threshold gate at one input, and from one input to the next.

#include <string>
#include <vector>

#include "tellegen/circuits/front_end/energy_book.h"
#include "tellegen/circuits/front_end/gate_design.h"

namespace tellegen::circuits {

/// What turns electrical energy into heat: a current through a drop of voltage.
struct Element {
  std::string name;
  double drop_V = 0, current_A = 0;
};

/// A capacitance that stands at a voltage, and that is charged out of the supply.
struct NodeCharge {
  std::string name;
  Band capacitance_F;
  double node_V = 0;
};

/// The circuit standing still at one input.
struct OperatingState {
  std::vector<SupplyBranch> branches;
  std::vector<Element> elements;
  double delivered_A = 0;  ///< into the output node
  double output_V = 0;     ///< where the next stage holds that
  std::vector<NodeCharge> nodes;
};
OperatingState operating_state(const ThresholdDesign& design, double x);

/// Standing at `at` for duration_s, after charging its nodes from those of `before`; typical values.
EnergyBook energy_between(const ThresholdDesign& design, const OperatingState& before, const OperatingState& at,
                          double duration_s);

/// What the supply gives for charging from `before` to `at`, and for the decisions of comparators.
Band charging_energy_J(const ThresholdDesign& design, const OperatingState& before, const OperatingState& at);

}  // namespace tellegen::circuits
