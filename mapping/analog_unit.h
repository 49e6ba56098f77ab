#pragma once
// One activation or softmax of a network as circuits between DACs and ADCs.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"

namespace tellegen::mapping {

/// Neurons that share an activation: each has a front-end of the same design.
struct UnitGroup {
  std::string function;  ///< "silu"
  std::shared_ptr<const circuits::FrontEnd> circuit;
  double x_scale = 1;                 ///< the circuit works on x_scale times x
  std::vector<std::int64_t> neurons;  ///< along AnalogUnit::axis, ascending
};

/// Units are made once and used for every position of a sample, one after another.
struct AnalogUnit {
  std::size_t node = 0;
  std::string name;  ///< of the node
  /// Of an activation; else empty.
  std::vector<UnitGroup> groups;
  std::size_t axis = 0;  ///< of the neurons in the node's input
  /// Of a softmax; else null.
  std::shared_ptr<const circuits::SoftmaxCircuit> softmax;
  std::size_t first_axis = 0, last_axis = 0;  ///< that a row of it runs along
  std::int64_t row = 0;                       ///< inputs of the circuit
  std::int64_t heads = 1;                     ///< circuits, along axis 1 of the input
  std::int64_t positions = 1;                 ///< uses of each unit per sample

  /// Outputs of all units: so many sample-and-holds are built.
  std::int64_t outputs() const;
};

}  // namespace tellegen::mapping
