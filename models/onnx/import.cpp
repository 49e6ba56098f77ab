#include "tellegen/models/onnx/import.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/fold.h"
#include "tellegen/models/onnx/graph.h"
#include "tellegen/models/onnx/graph_order.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/catalog.h"

namespace tellegen::models {

namespace {

std::string describe(const OperatorEntry& entry) {
  return std::string(entry.name) + " (opset " + std::to_string(std::max(entry.first_opset, onnx::kLeastOpset)) +
         " to " + std::to_string(onnx::kGreatestOpset) + ")";
}

const OperatorEntry& find_operator(const onnx::GraphNode& node, int opset) {
  const auto catalog = operator_catalog();
  const auto entry =
      std::find_if(catalog.begin(), catalog.end(), [&](const OperatorEntry& e) { return node.op_type == e.name; });
  if (entry != catalog.end() && opset >= entry->first_opset) return *entry;
  std::string supported;
  for (const OperatorEntry& known : catalog) supported += (supported.empty() ? "" : ", ") + describe(known);
  throw InputError("is an operator of opset " + std::to_string(opset) +
                   " that is not supported. Supported are: " + supported + ". Export the network with these.");
}

void import_node(const onnx::GraphNode& node, onnx::ImportState& state, const std::filesystem::path& file) {
  try {
    const OperatorEntry& entry = find_operator(node, state.network.opset);
    if (node.outputs.empty() || node.outputs[0].empty()) throw InputError("has no first output.");
    onnx::ImportContext context(node, state);
    entry.import(context);
    context.check_attributes();
  } catch (const InputError& error) {
    throw InputError({file.string()}, "node '" + node.name + "' (" + node.op_type + ") " + error.what());
  }
}

/// Dimension 0 of the input is the batch, even where the file fixes it.
Shape network_input(const onnx::Graph& graph, const std::filesystem::path& file) {
  Shape shape = graph.input_shape;
  const bool free = shape.size() > 1 && std::find(shape.begin() + 1, shape.end(), -1) != shape.end();
  if (shape.size() < 2 || free)
    throw InputError({file.string()}, "input '" + graph.input + "' has shape '" + to_string(shape) +
                                          "'; the batch and at least one further dimension, which must be fixed, are "
                                          "needed. Export with fixed sizes.");
  shape[0] = -1;
  try {
    onnx::check_size(shape);
  } catch (const InputError& error) {
    throw InputError({file.string()}, "input '" + graph.input + "' " + error.what());
  }
  return shape;
}

}  // namespace

Network import_onnx(const std::filesystem::path& file) {
  const onnx::Graph graph = onnx::read_graph(file);
  onnx::ImportState state;
  Network& network = state.network;
  network.name = graph.name;
  network.opset = graph.opset;
  network.values.push_back({graph.input, network_input(graph, file)});
  network.input = 0;
  state.fixed_batch = graph.input_shape[0];
  for (const auto& [name, constant] : graph.constants) state.bindings[name] = constant;
  state.bindings[graph.input] = network.input;
  for (const std::size_t index : onnx::needed_nodes(graph, file)) import_node(graph.nodes[index], state, file);
  const auto output = state.bindings.find(graph.output);
  if (output == state.bindings.end() || !std::holds_alternative<ValueId>(output->second))
    throw InputError({file.string()},
                     "the output '" + graph.output + "' does not depend on the input '" + graph.input + "'.");
  network.output = std::get<ValueId>(output->second);
  onnx::lift_silu(network);
  onnx::fold_affine(network);
  return std::move(network);
}

std::vector<std::string> supported_onnx_operators() {
  std::vector<std::string> names;
  for (const OperatorEntry& entry : operator_catalog()) names.push_back(describe(entry));
  return names;
}

}  // namespace tellegen::models
