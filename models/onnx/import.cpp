#include "tellegen/models/onnx/import.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/fold.h"
#include "tellegen/models/onnx/graph.h"
#include "tellegen/models/onnx/graph_order.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/onnx/import_graph.h"
#include "tellegen/models/onnx/layout.h"
#include "tellegen/models/onnx/lift.h"
#include "tellegen/models/onnx/rewrite.h"
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

void import_bare(const onnx::GraphNode& node, onnx::ImportState& state) {
  const OperatorEntry& entry = find_operator(node, state.network.opset);
  if (std::all_of(node.outputs.begin(), node.outputs.end(), [](const std::string& name) { return name.empty(); }))
    throw InputError("has no output.");
  onnx::ImportContext context(node, state);
  entry.import(context);
  context.check_attributes();
}

/// A node of a graph inside of another node, which the message goes on from.
void import_inside(const onnx::GraphNode& node, onnx::ImportState& state) {
  try {
    import_bare(node, state);
  } catch (const InputError& error) {
    throw InputError("has node '" + node.name + "' (" + node.op_type + ") inside, which " + error.what());
  }
}

void import_node(const onnx::GraphNode& node, onnx::ImportState& state, const std::filesystem::path& file) {
  try {
    import_bare(node, state);
  } catch (const InputError& error) {
    throw InputError({file.string()}, "node '" + node.name + "' (" + node.op_type + ") " + error.what());
  }
}

/// Dimension 0 of the input is the batch, even where the file fixes it.
Shape network_input(const onnx::Graph& graph, const ImportOptions& options, const std::filesystem::path& file) {
  Shape shape = graph.input_shape;
  const std::size_t first = options.batch ? 1 : 0;
  const bool free = shape.size() > first && std::find(shape.begin() + first, shape.end(), -1) != shape.end();
  if (shape.size() < 2 * first || free)
    throw InputError({file.string()}, "input '" + graph.input + "' has shape '" + to_string(shape) +
                                          "'; the batch and at least one further dimension, which must be fixed, are "
                                          "needed. Export with fixed sizes.");
  if (options.batch) shape[0] = -1;
  try {
    onnx::check_size(shape);
  } catch (const InputError& error) {
    throw InputError({file.string()}, "input '" + graph.input + "' " + error.what());
  }
  return shape;
}

void set_output(const onnx::Graph& graph, const ImportOptions& options, onnx::ImportState& state,
                const std::filesystem::path& file) {
  const auto output = state.bindings.find(graph.output);
  if (output == state.bindings.end() || !std::holds_alternative<ValueId>(output->second))
    throw InputError({file.string()},
                     "the output '" + graph.output + "' does not depend on the input '" + graph.input + "'.");
  state.network.output = std::get<ValueId>(output->second);
  const Shape& shape = state.network.values[state.network.output].shape;
  if (options.batch && (shape.empty() || shape[0] != -1))
    throw InputError({file.string()}, "the output '" + graph.output + "' has shape '" + to_string(shape) +
                                          "'; its first dimension must be the batch. Export the network so.");
}

}  // namespace

Network import_onnx(const std::filesystem::path& file, const ImportOptions& options) {
  return onnx::import_graph(onnx::read_graph(file, options), options, file);
}

Network onnx::import_graph(const Graph& graph, const ImportOptions& options, const std::filesystem::path& file) {
  ImportState state;
  Network& network = state.network;
  network.name = graph.name;
  network.opset = graph.opset;
  network.values.push_back({graph.input, network_input(graph, options, file), graph.integer_input});
  network.input = 0;
  state.fixed_batch = options.batch ? graph.input_shape[0] : -1;
  for (const auto& [name, constant] : graph.constants) state.bindings[name] = constant;
  state.bindings[graph.input] = network.input;
  const std::vector<std::size_t> order = onnx::needed_nodes(graph, file);
  state.read.insert(graph.output);
  bool has_branches = false;
  for (const std::size_t index : order) {
    const GraphNode& node = graph.nodes[index];
    state.read.insert(node.inputs.begin(), node.inputs.end());
    state.read.insert(node.captured.begin(), node.captured.end());
    has_branches = has_branches || node.op_type == "If" || node.op_type == "Loop";
  }
  state.import_node = [&state](const GraphNode& node) { import_inside(node, state); };
  for (const std::size_t index : order) import_node(graph.nodes[index], state, file);
  set_output(graph, options, state, file);
  if (has_branches) remove_unread(network);  // what only the branch needs that is not taken
  onnx::simplify_layout(network);
  onnx::lift_activations(network);
  onnx::lift_norms(network);
  onnx::lift_rotary(network);
  onnx::lift_selections(network);
  onnx::fold_affine(network);
  onnx::name_groups(network);
  return std::move(network);
}

std::vector<std::string> supported_onnx_operators() {
  std::vector<std::string> names;
  for (const OperatorEntry& entry : operator_catalog()) names.push_back(describe(entry));
  return names;
}

}  // namespace tellegen::models
