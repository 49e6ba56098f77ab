#include <fmt/format.h>

#include <map>
#include <set>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/input_file.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/models/native/format.h"
#include "tellegen/models/native/native_file.h"
#include "tellegen/models/native/node_text.h"
#include "tellegen/models/onnx/import_graph.h"

namespace tellegen::models {

namespace native {

namespace {

/// Lines longer than that are no nodes.
constexpr std::size_t kLongestLine = 1 << 16;

class FileReader {
 public:
  FileReader(const std::filesystem::path& file, const ImportOptions& options)
      : file_(file), options_(options), reader_(file) {}

  onnx::Graph read() {
    check_format();
    graph_.name = file_.stem().string();
    graph_.opset = read_opset();
    graph_.input = text("input");
    graph_.output = options_.output.empty() ? text("output") : options_.output;
    const std::string type = text("input_type");
    if (type != "float" && type != "integer")
      throw InputError({file_.string()},
                       "attribute 'input_type' = '" + printable(type) + "'; float and integer are allowed.");
    graph_.integer_input = type == "integer";
    graph_.input_shape = reader_.integers("input_shape");
    for (std::int64_t& dimension : graph_.input_shape)
      if (dimension <= 0) dimension = -1;
    read_tensors("weights", true);
    read_tensors("integers", false);
    read_nodes();
    onnx::fix_inputs(graph_, options_);
    return std::move(graph_);
  }

 private:
  std::string text(const std::string& name) const { return reader_.text_attribute("", name); }

  void check_format() const {
    const std::string found = text("format");
    if (found != kFormat)
      throw InputError({file_.string()},
                       "attribute 'format' = '" + printable(found) + "'; '" + kFormat + "' is needed.");
    const double version = reader_.number_attribute("", "version");
    if (version != static_cast<double>(kVersion))
      throw InputError({file_.string()},
                       fmt::format("is of version '{:g}' of the format; {} is supported.", version, kVersion));
  }

  int read_opset() const {
    const double opset = reader_.number_attribute("", "opset");
    if (!(opset >= onnx::kLeastOpset && opset <= onnx::kGreatestOpset) || opset != static_cast<int>(opset))
      throw InputError({file_.string()}, "attribute 'opset' is no whole number from " +
                                             std::to_string(onnx::kLeastOpset) + " to " +
                                             std::to_string(onnx::kGreatestOpset) + ".");
    return static_cast<int>(opset);
  }

  void read_tensors(const std::string& group, bool floats) {
    if (!reader_.has(group)) return;
    for (const std::string& name : reader_.children(group)) {
      const std::string path = group + "/" + name;
      auto constant = std::make_shared<onnx::Constant>();
      constant->name = name;
      constant->is_float = floats;
      Shape shape;
      for (const std::uint64_t size : reader_.shape(path)) shape.push_back(static_cast<std::int64_t>(size));
      if (floats) {
        const std::vector<double> numbers = reader_.doubles(path);
        constant->floats = {shape, {numbers.begin(), numbers.end()}};
      } else {
        constant->integers = {shape, reader_.integers(path)};
      }
      if (!graph_.constants.emplace(name, std::move(constant)).second)
        throw InputError({file_.string()},
                         "'" + printable(name) + "' is in weights and in integers; names must differ.");
    }
  }

  void read_nodes() {
    const FindTensor find = [this](const std::string& name) {
      const auto found = graph_.constants.find(name);
      if (found == graph_.constants.end())
        throw InputError("reads '@" + printable(name) + "', which is in neither weights nor integers.");
      return found->second;
    };
    std::set<std::string> names;
    const std::vector<std::string> lines = reader_.strings("nodes");
    for (std::size_t number = 0; number < lines.size(); ++number) {
      onnx::GraphNode node;
      try {
        if (lines[number].size() > kLongestLine) throw InputError("is too long for a node.");
        node = parse_node(lines[number], find);
      } catch (const InputError& error) {
        throw InputError({file_.string()}, "nodes[" + std::to_string(number) + "] = '" +
                                               printable(lines[number].substr(0, 200)) + "' " + error.what());
      }
      const std::string wanted = printable(node.name.empty() ? node.op_type + "_" + std::to_string(number) : node.name);
      node.name = wanted;
      for (int copy = 2; !names.insert(node.name).second; ++copy) node.name = wanted + "#" + std::to_string(copy);
      graph_.nodes.push_back(std::move(node));
    }
  }

  std::filesystem::path file_;
  const ImportOptions& options_;
  Hdf5Reader reader_;
  onnx::Graph graph_;
};

}  // namespace

onnx::Graph read_graph(const std::filesystem::path& file, const ImportOptions& options) {
  if (const std::string problem = not_a_file(file); !problem.empty())
    throw InputError({file.string()}, problem + " Check the path of the network.");
  return FileReader(file, options).read();
}

}  // namespace native

Network import_native(const std::filesystem::path& file, const ImportOptions& options) {
  return onnx::import_graph(native::read_graph(file, options), options, file);
}

}  // namespace tellegen::models
