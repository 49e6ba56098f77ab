#include "tellegen/models/onnx/graph.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

#include "onnx_lite.pb.h"
#include "tellegen/base/error.h"
#include "tellegen/base/input_file.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/models/onnx/constant.h"
#include "tellegen/models/onnx/import_graph.h"
#include "tellegen/models/onnx/wire.h"

namespace tellegen::models::onnx {

namespace {

constexpr std::uintmax_t kGreatestFile = std::uintmax_t{1} << 31;  // the limit of protobuf and so of ONNX

std::string read_bytes(const std::filesystem::path& file) {
  std::error_code error;
  if (const std::string problem = not_a_file(file); !problem.empty())
    throw InputError({file.string()}, problem + " Check the path of the ONNX model.");
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size >= kGreatestFile) throw InputError({file.string()}, "is larger than an ONNX file can be (2 GiB).");
  std::string bytes(size, '\0');
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size)) && size > 0)
    throw InputError({file.string()}, "cannot be read. Check the permissions of the file.");
  return bytes;
}

int standard_opset(const onnx_wire::Model& model, const std::filesystem::path& file) {
  std::int64_t opset = 0;
  for (const auto& set : model.opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx") opset = set.version();
  if (opset < kLeastOpset || opset > kGreatestOpset)
    throw InputError({file.string()}, "is written in ONNX opset '" + std::to_string(opset) + "'; " +
                                          std::to_string(kLeastOpset) + " to " + std::to_string(kGreatestOpset) +
                                          " is supported. Export the model again with an opset in that range.");
  return static_cast<int>(opset);
}

Subgraph convert(const onnx_wire::Graph& wire, const std::filesystem::path& folder);

Attribute convert(const onnx_wire::Attribute& wire, const std::filesystem::path& folder) {
  Attribute attribute;
  attribute.name = wire.name();
  attribute.number = wire.f();
  attribute.integer = wire.i();
  attribute.text = wire.s();
  attribute.numbers.assign(wire.floats().begin(), wire.floats().end());
  attribute.integers.assign(wire.ints().begin(), wire.ints().end());
  attribute.texts.assign(wire.strings().begin(), wire.strings().end());
  if (wire.has_t()) attribute.tensor = std::make_shared<const Constant>(convert_tensor(wire.t(), folder));
  if (wire.has_g()) attribute.graph = std::make_shared<const Subgraph>(convert(wire.g(), folder));
  return attribute;
}

/// Values from outside that the graphs of a node read.
std::vector<std::string> captured_by(const GraphNode& node) {
  std::vector<std::string> captured;
  for (const Attribute& attribute : node.attributes) {
    if (!attribute.graph) continue;
    const Subgraph& graph = *attribute.graph;
    std::set<std::string> own{""};
    own.insert(graph.inputs.begin(), graph.inputs.end());
    for (const auto& [name, constant] : graph.constants) own.insert(name);
    for (const GraphNode& inside : graph.nodes) own.insert(inside.outputs.begin(), inside.outputs.end());
    const auto read = [&](const std::vector<std::string>& names) {
      std::copy_if(names.begin(), names.end(), std::back_inserter(captured),
                   [&](const std::string& name) { return !own.contains(name); });
    };
    for (const GraphNode& inside : graph.nodes) {
      read(inside.inputs);
      read(inside.captured);
    }
    read(graph.outputs);
  }
  return captured;
}

GraphNode convert(const onnx_wire::Node& wire, int number, const std::filesystem::path& folder,
                  std::set<std::string>& names) {
  GraphNode node;
  const bool standard = wire.domain().empty() || wire.domain() == "ai.onnx";
  node.op_type = standard ? wire.op_type() : wire.domain() + "." + wire.op_type();
  // Names go into reports: what could not be printed there is escaped at once.
  const std::string wanted =
      printable(wire.name().empty() ? wire.op_type() + "_" + std::to_string(number) : wire.name());
  node.name = wanted;
  for (int copy = 2; !names.insert(node.name).second; ++copy) node.name = wanted + "#" + std::to_string(copy);
  node.inputs.assign(wire.input().begin(), wire.input().end());
  node.outputs.assign(wire.output().begin(), wire.output().end());
  for (const auto& attribute : wire.attribute()) node.attributes.push_back(convert(attribute, folder));
  node.captured = captured_by(node);
  return node;
}

/// Leaves out nodes that no output needs.
void prune(Subgraph& graph) {
  std::set<std::string> needed(graph.outputs.begin(), graph.outputs.end());
  std::vector<GraphNode> kept;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool read = std::any_of(node->outputs.begin(), node->outputs.end(),
                                  [&](const std::string& output) { return needed.contains(output); });
    if (!read) continue;
    needed.insert(node->inputs.begin(), node->inputs.end());
    needed.insert(node->captured.begin(), node->captured.end());
    kept.push_back(std::move(*node));
  }
  graph.nodes.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

Subgraph convert(const onnx_wire::Graph& wire, const std::filesystem::path& folder) {
  Subgraph graph;
  for (const auto& initializer : wire.initializer())
    graph.constants[initializer.name()] = std::make_shared<const Constant>(convert_tensor(initializer, folder));
  for (const auto& input : wire.input())
    if (!graph.constants.contains(input.name())) graph.inputs.push_back(input.name());
  for (const auto& output : wire.output()) graph.outputs.push_back(output.name());
  std::set<std::string> names;
  int number = 0;
  for (const auto& node : wire.node()) graph.nodes.push_back(convert(node, number++, folder, names));
  prune(graph);
  return graph;
}

Shape declared_shape(const onnx_wire::ValueInfo& info, const ImportOptions& options) {
  Shape shape;
  for (const auto& dimension : info.type().tensor_type().shape().dim()) {
    const auto named = options.sizes.find(dimension.dim_param());
    if (named != options.sizes.end())
      shape.push_back(named->second);
    else
      shape.push_back(dimension.has_dim_value() && dimension.dim_value() > 0 ? dimension.dim_value() : -1);
  }
  return shape;
}

void read_input(const onnx_wire::Graph& wire, Graph& graph, const ImportOptions& options,
                const std::filesystem::path& file) {
  std::vector<const onnx_wire::ValueInfo*> inputs;  // before IR version 4, initialisers are listed among the inputs
  for (const auto& input : wire.input())
    if (!graph.constants.contains(input.name())) inputs.push_back(&input);
  if (inputs.size() != 1)
    throw InputError({file.string()},
                     "the graph has " + std::to_string(inputs.size()) + " inputs; networks with one are supported.");
  const onnx_wire::ValueInfo& input = *inputs[0];
  const int type = input.type().tensor_type().elem_type();
  if (type != kFloatType && !is_integer_type(type))
    throw InputError({file.string()}, "input '" + input.name() + "' is of type '" + type_name(type) +
                                          "'; float and integers are supported.");
  graph.input = input.name();
  graph.integer_input = type != kFloatType;
  graph.input_shape = declared_shape(input, options);
}

void read_output(const onnx_wire::Graph& wire, Graph& graph, const ImportOptions& options,
                 const std::filesystem::path& file) {
  if (!options.output.empty()) {
    graph.output = options.output;
    return;
  }
  if (wire.output_size() != 1)
    throw InputError({file.string()}, "the graph has " + std::to_string(wire.output_size()) +
                                          " outputs; networks with one are supported.");
  graph.output = wire.output(0).name();
}

}  // namespace

void fix_inputs(Graph& graph, const ImportOptions& options) {
  for (const auto& [name, tensor] : options.fixed) {
    auto constant = std::make_shared<Constant>();
    constant->name = name;
    constant->floats = tensor;
    graph.constants[name] = std::move(constant);
  }
  for (const auto& [name, tensor] : options.fixed_integers) {
    auto constant = std::make_shared<Constant>();
    constant->name = name;
    constant->is_float = false;
    constant->integers = tensor;
    graph.constants[name] = std::move(constant);
  }
}

Graph read_graph(const std::filesystem::path& file, const ImportOptions& options) {
  const std::string bytes = read_bytes(file);
  if (const std::string fault = wire_fault(bytes); !fault.empty()) throw InputError({file.string()}, fault);
  onnx_wire::Model model;
  if (!model.ParseFromString(bytes))
    throw InputError({file.string()}, "is damaged inside: protobuf cannot read it. Copy the file again.");
  if (!model.has_graph()) throw InputError({file.string()}, "holds no graph. Export the model again.");
  Graph graph;
  graph.opset = standard_opset(model, file);
  graph.name = file.stem().string();
  const std::filesystem::path folder = file.parent_path();
  for (const auto& initializer : model.graph().initializer())
    graph.constants[initializer.name()] = std::make_shared<const Constant>(convert_tensor(initializer, folder));
  std::set<std::string> names;
  int number = 0;
  for (const auto& node : model.graph().node()) graph.nodes.push_back(convert(node, number++, folder, names));
  fix_inputs(graph, options);
  read_input(model.graph(), graph, options, file);
  read_output(model.graph(), graph, options, file);
  return graph;
}

}  // namespace tellegen::models::onnx
