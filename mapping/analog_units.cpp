#include "tellegen/mapping/analog_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tellegen/base/error.h"
#include "tellegen/mapping/gate_designs.h"
#include "tellegen/mapping/gate_fit.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/models/operators/softmax.h"

namespace tellegen::mapping {
namespace {

using models::Network;
using models::Node;
using models::Shape;

const Shape& input_shape(const Network& network, const Node& node) {
  return network.values[static_cast<std::size_t>(node.inputs[0])].shape;
}

/// Samples must be the slowest index, or units could not tell them apart.
bool batch_first(const Shape& shape) {
  return !shape.empty() && models::is_batch(shape[0]) && std::none_of(shape.begin() + 1, shape.end(), models::is_batch);
}

/// The matrix operation whose sums these are, behind elementwise work; null where there is none.
const models::MatrixOperation* source_of(const Network& network, models::ValueId value) {
  for (std::size_t index = network.nodes.size(); index-- > 0;) {
    const Node& node = network.nodes[index];
    if (node.output != value) continue;
    const auto* matrix = dynamic_cast<const models::MatrixOperation*>(node.operation.get());
    if (matrix != nullptr || node.inputs.empty()) return matrix;
    value = node.inputs[0];
  }
  return nullptr;
}

/// Channels of a convolution stand behind the batch, neurons of everything else last.
std::size_t neuron_axis(const Network& network, const Node& node) {
  const Shape& shape = input_shape(network, node);
  const auto* source = source_of(network, node.inputs[0]);
  const bool channels = shape.size() > 2 && dynamic_cast<const models::Convolution*>(source) != nullptr;
  return channels ? 1 : shape.size() - 1;
}

std::int64_t per_sample(const Shape& shape) { return std::abs(models::element_count(shape)); }

void refuse_streams(const ChipConfig& chip) {
  if (chip.dac.streaming == circuits::Streaming::bit_serial) {
    throw InputError(
        "chip.dac.streaming = 'bit_serial' cannot drive analog units: a circuit needs its whole input at once. Set "
        "chip.dac.streaming: full, or leave chip.analog_units out.");
  }
  if (chip.dac.by_width()) {
    throw InputError(
        "chip.dac.kind = 'pwm' cannot drive analog units: a circuit takes a voltage, not the width of a pulse. Take "
        "another kind, or leave chip.analog_units out.");
  }
}

/// Activations by neuron: one for all, or the choice of each.
struct Functions {
  std::vector<models::Pointwise> palette;
  std::vector<std::vector<std::int64_t>> neurons;  ///< of each in the palette
};

bool is_activation(const Node& node) {
  return dynamic_cast<const models::Pointwise*>(node.operation.get()) != nullptr ||
         dynamic_cast<const models::Selection*>(node.operation.get()) != nullptr;
}

/// Of a node that is an activation of `width` neurons.
Functions functions_of(const Node& node, std::int64_t width) {
  Functions functions;
  if (const auto* pointwise = dynamic_cast<const models::Pointwise*>(node.operation.get())) {
    functions.palette = {*pointwise};
    functions.neurons.resize(1);
    functions.neurons[0].resize(static_cast<std::size_t>(width));
    std::iota(functions.neurons[0].begin(), functions.neurons[0].end(), std::int64_t{0});
    return functions;
  }
  const auto& selection = dynamic_cast<const models::Selection&>(*node.operation);
  functions.palette = selection.palette();
  functions.neurons.resize(functions.palette.size());
  for (std::size_t i = 0; i < selection.choice().size(); ++i)
    functions.neurons[selection.choice()[i]].push_back(static_cast<std::int64_t>(i));
  return functions;
}

/// Places units of one kind of node after another, and says so in the edges.
class Placement {
 public:
  Placement(Plan& plan, const Network& network, std::vector<Edge>& edges, const ChipConfig& chip,
            Temperature temperature, std::span<const double> largest)
      : plan_(plan),
        network_(network),
        edges_(edges),
        config_(chip.analog_units),
        temperature_(temperature),
        largest_(largest),
        designs_(chip.analog_units.gate.front_end, temperature) {}

  void gate(std::size_t index) {
    const Node& node = network_.nodes[index];
    if (!is_activation(node)) return;
    const Shape& shape = input_shape(network_, node);
    AnalogUnit unit;
    unit.node = index;
    unit.name = node.name;
    Functions functions;
    std::string obstacle = kNotFirst;
    if (batch_first(shape) && shape.size() > 1) {
      unit.axis = neuron_axis(network_, node);
      functions = functions_of(node, shape[unit.axis]);
      obstacle = obstacle_to(functions);
    }
    if (!obstacle.empty()) {
      explain(node, "", fmt::format("No analog unit: {}", obstacle));
      return;
    }
    for (std::size_t f = 0; f < functions.palette.size(); ++f) {
      if (functions.neurons[f].empty()) continue;
      const FittedGate fitted =
          designs_.fit(gate_of(functions.palette[f]).value(), largest_.empty() ? 0 : largest_[index]);
      unit.groups.push_back({functions.palette[f].label(), fitted.circuit, fitted.x_scale, functions.neurons[f]});
    }
    unit.positions = per_sample(shape) / shape[unit.axis];
    explain(node, fmt::format("{} x {}", unit.outputs(), config_.gate.circuit),
            "By circuits of chip.analog_units.gate between DACs and ADCs.");
    plan_.analog_units.push_back(std::move(unit));
  }

  void softmax(std::size_t index) {
    const Node& node = network_.nodes[index];
    const auto* operation = dynamic_cast<const models::Softmax*>(node.operation.get());
    if (operation == nullptr) return;
    const Shape& shape = input_shape(network_, node);
    Edge edge{node.name, "softmax", reader_of(node), Boundary::digital, Boundary::digital, "", ""};
    if (!batch_first(shape)) {
      edge.why = fmt::format("No analog unit: {}", kNotFirst);
      edges_.push_back(std::move(edge));
      return;
    }
    AnalogUnit unit;
    unit.node = index;
    unit.name = node.name;
    unit.first_axis = operation->first_axis();
    unit.last_axis = operation->last_axis();
    unit.row = models::split_at(shape, unit.first_axis, unit.last_axis).size;
    unit.heads = unit.first_axis > 2 && shape[0] == -1 ? shape[1] : 1;
    unit.positions = per_sample(shape) / unit.row / unit.heads;
    refuse_long_rows(unit);
    if (softmax_ == nullptr) softmax_ = config_.softmax.softmax.make(temperature_);
    unit.softmax = softmax_;
    edge.unit = fmt::format("{} x {} of {} inputs", unit.heads, config_.softmax.circuit, unit.row);
    edge.why = "By circuits of chip.analog_units.softmax between DACs and ADCs.";
    edges_.push_back(std::move(edge));
    plan_.analog_units.push_back(std::move(unit));
  }

 private:
  static constexpr const char* kNotFirst = "samples are not the first index of its input.";

  /// Why the circuit cannot be all of these; empty where it can.
  std::string obstacle_to(const Functions& functions) const {
    const auto shape = circuits::find_front_end(config_.gate.circuit).example.shape;
    for (std::size_t f = 0; f < functions.palette.size(); ++f) {
      if (functions.neurons[f].empty()) continue;
      const auto gate = gate_of(functions.palette[f]);
      const std::string label = functions.palette[f].label();
      if (!gate) return fmt::format("no single threshold gate is {}.", label);
      if (gate->shape != shape) return fmt::format("the circuit {} cannot be {}.", config_.gate.circuit, label);
    }
    return "";
  }

  void refuse_long_rows(const AnalogUnit& unit) const {
    if (unit.row <= config_.softmax.longest_row) return;
    throw RefusedError({fmt::format("The softmax '{}' has rows of {} inputs, and a circuit has at most {}: a sum of "
                                    "currents is not cut in two.",
                                    unit.name, unit.row, config_.softmax.longest_row),
                        "Raise chip.analog_units.softmax.longest_row, or keep softmax digital (circuit: none)."});
  }

  std::string reader_of(const Node& node) const {
    for (const Node& other : network_.nodes) {
      if (std::find(other.inputs.begin(), other.inputs.end(), node.output) != other.inputs.end()) return other.name;
    }
    return "the output";
  }

  /// What gate_network says of the same activation stays true of the rows; units come after it.
  void explain(const Node& node, const std::string& unit, const std::string& why) {
    for (Edge& edge : edges_) {
      if (edge.activation != node.name || edge.taken != Boundary::digital) continue;
      edge.unit = unit;
      edge.why = edge.why.empty() || !unit.empty() ? why : edge.why + " " + why;
    }
  }

  Plan& plan_;
  const Network& network_;
  std::vector<Edge>& edges_;
  const AnalogUnitsConfig& config_;
  Temperature temperature_;
  std::span<const double> largest_;
  GateDesigns designs_;
  std::shared_ptr<const circuits::SoftmaxCircuit> softmax_;
};

}  // namespace

std::int64_t AnalogUnit::outputs() const {
  std::int64_t count = row * heads;
  if (softmax != nullptr) return count;
  count = 0;
  for (const UnitGroup& group : groups) count += static_cast<std::int64_t>(group.neurons.size());
  return count;
}

void place_analog_units(Plan& plan, const Network& gated, std::vector<Edge>& edges, const ChipConfig& chip,
                        Temperature temperature, std::span<const double> largest) {
  const AnalogUnitsConfig& config = chip.analog_units;
  if (!config.used()) return;
  refuse_streams(chip);
  Placement placement(plan, gated, edges, chip, temperature, largest);
  for (std::size_t index = 0; config.gate.used() && index < gated.nodes.size(); ++index) placement.gate(index);
  const std::size_t gates = plan.analog_units.size();
  if (config.gate.used() && gates == 0) {
    throw InputError(
        fmt::format("chip.analog_units.gate.circuit = '{}' finds nothing to compute in the network '{}': no activation "
                    "is left that it can be. Take another circuit, or none.",
                    config.gate.circuit, gated.name));
  }
  for (std::size_t index = 0; config.softmax.used() && index < gated.nodes.size(); ++index) placement.softmax(index);
  if (config.softmax.used() && plan.analog_units.size() == gates) {
    throw InputError(
        fmt::format("chip.analog_units.softmax.circuit = '{}' finds nothing to compute in the network '{}': it has no "
                    "softmax whose samples stand apart. Set none.",
                    config.softmax.circuit, gated.name));
  }
}

const AnalogUnit* analog_unit_of(const Plan& plan, std::size_t node) {
  const auto found = std::find_if(plan.analog_units.begin(), plan.analog_units.end(),
                                  [&](const AnalogUnit& unit) { return unit.node == node; });
  return found == plan.analog_units.end() ? nullptr : &*found;
}

}  // namespace tellegen::mapping
