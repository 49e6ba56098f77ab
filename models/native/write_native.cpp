#include <algorithm>
#include <map>
#include <set>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/native/format.h"
#include "tellegen/models/native/native_file.h"
#include "tellegen/models/native/node_text.h"
#include "tellegen/models/onnx/graph_order.h"

namespace tellegen::models::native {

namespace {

/// A name that HDF5 takes for one dataset: slashes would make groups.
std::string dataset_name(const std::string& name) {
  std::string result = name.empty() || name == "." ? "tensor" : name;
  std::replace(result.begin(), result.end(), '/', '.');
  if (result.front() == '.') result.front() = '_';
  return result;
}

/// Constants that nodes read become datasets, under names of their own.
class FileWriter {
 public:
  FileWriter(const onnx::Graph& graph, const std::filesystem::path& source, const std::filesystem::path& file)
      : graph_(graph), source_(source), writer_(file) {}

  void write() {
    writer_.attribute("", "format", std::string(kFormat));
    writer_.attribute("", "version", kVersion);
    writer_.attribute("", "opset", static_cast<std::int64_t>(graph_.opset));
    writer_.attribute("", "input", graph_.input);
    writer_.attribute("", "input_type", std::string(graph_.integer_input ? "integer" : "float"));
    writer_.attribute("", "output", graph_.output);
    writer_.write("input_shape", graph_.input_shape, {graph_.input_shape.size()});
    writer_.attribute("input_shape", "unit", std::string("1"));
    std::vector<std::string> lines;
    for (const std::size_t index : onnx::needed_nodes(graph_, source_)) {
      onnx::GraphNode node = graph_.nodes[index];
      if (const auto tensor = whole_constant(node)) {
        datasets_[node.outputs.at(0)] = dataset(tensor, node.outputs.at(0));
        continue;
      }
      refuse_graphs(node);
      for (std::string& input : node.inputs) rename(input);
      lines.push_back(node_text(node, [this, &node](const std::shared_ptr<const onnx::Constant>& tensor) {
        return dataset(tensor, node.name);
      }));
    }
    writer_.write("nodes", lines);
    writer_.commit();
  }

 private:
  void refuse_graphs(const onnx::GraphNode& node) const {
    for (const onnx::Attribute& attribute : node.attributes)
      if (attribute.graph)
        throw InputError({source_.string()}, "node '" + node.name + "' (" + node.op_type +
                                                 ") holds a graph of its own, which has no form in HDF5. Export the "
                                                 "network without it, or keep it in ONNX.");
  }

  /// The tensor of a Constant node, which needs no node.
  static std::shared_ptr<const onnx::Constant> whole_constant(const onnx::GraphNode& node) {
    if (node.op_type != "Constant" || node.attributes.size() != 1 || node.attributes[0].name != "value") return nullptr;
    return node.attributes[0].tensor;
  }

  /// What a node reads, under the name that it has in the file.
  void rename(std::string& input) {
    if (const auto made = datasets_.find(input); made != datasets_.end()) {
      input = made->second;
    } else if (const auto constant = graph_.constants.find(input); constant != graph_.constants.end()) {
      input = datasets_[constant->first] = dataset(constant->second, constant->first);
    }
  }

  std::string dataset(const std::shared_ptr<const onnx::Constant>& tensor, const std::string& wanted) {
    if (!tensor->refusal.empty())
      throw InputError({source_.string()}, "the tensor '" + wanted + "' " + tensor->refusal);
    const std::string plain = dataset_name(wanted);
    std::string name = plain;
    for (int copy = 2; is_taken(name, wanted) || !names_.insert(name).second; ++copy)
      name = plain + "#" + std::to_string(copy);
    std::vector<std::uint64_t> shape;
    for (const std::int64_t size : tensor->shape()) shape.push_back(static_cast<std::uint64_t>(size));
    const std::string path = (tensor->is_float ? "weights/" : "integers/") + name;
    if (tensor->is_float)
      writer_.write(path, tensor->floats.data, shape);
    else
      writer_.write(path, tensor->integers.data, shape);
    writer_.attribute(path, "unit", std::string("1"));
    return name;
  }

  /// Whether a value of the graph has that name already: the input, or what a node makes.
  bool is_taken(const std::string& name, const std::string& own) const {
    if (name == own) return false;
    if (name == graph_.input) return true;
    return std::any_of(graph_.nodes.begin(), graph_.nodes.end(), [&](const onnx::GraphNode& node) {
      return std::find(node.outputs.begin(), node.outputs.end(), name) != node.outputs.end();
    });
  }

  const onnx::Graph& graph_;
  std::filesystem::path source_;
  Hdf5Writer writer_;
  std::map<std::string, std::string> datasets_;  ///< of constants, by their name in the graph
  std::set<std::string> names_;
};

}  // namespace

void write_graph(const onnx::Graph& graph, const std::filesystem::path& source, const std::filesystem::path& file) {
  FileWriter(graph, source, file).write();
}

}  // namespace tellegen::models::native
