#pragma once
// What the importer of one operator sees of its node: attributes, constants, and where to put the operation.

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tellegen/models/network.h"
#include "tellegen/models/onnx/graph.h"

namespace tellegen::models::onnx {

/// What a name of the file stands for: a value of the network, or a constant.
using Binding = std::variant<ValueId, std::shared_ptr<const Constant>>;

struct ImportState {
  Network network;
  std::int64_t fixed_batch = -1;  ///< the batch size that the file insists on, or -1
  std::map<std::string, Binding> bindings;
};

/// The largest tensor per sample; a file that claims more is damaged or hostile.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

/// All functions throw InputError with a text that continues "node 'name' (Op) ...".
class ImportContext {
 public:
  ImportContext(const GraphNode& node, ImportState& state);

  int opset() const { return state_.network.opset; }
  std::int64_t fixed_batch() const { return state_.fixed_batch; }
  bool has_input(std::size_t index) const { return index < node_.inputs.size() && !node_.inputs[index].empty(); }
  /// Whether input `index` is a constant beside a computed value. Where all inputs are constants the node is computed
  /// at import, and all of them count as values.
  bool is_constant(std::size_t index) const;

  ValueId value(std::size_t index);                 ///< of a computed input
  Shape shape(std::size_t index) const;             ///< of a computed input
  const Tensor& constant(std::size_t index) const;  ///< finite floats
  const Tensor& constant_or_infinite(std::size_t index) const;
  std::vector<std::int64_t> integers(std::size_t index) const;  ///< of a constant of rank 0 or 1

  std::int64_t integer(const std::string& name, std::int64_t otherwise);
  float number(const std::string& name, float otherwise);
  std::string text(const std::string& name, const std::string& otherwise);
  std::vector<std::int64_t> integers(const std::string& name, const std::vector<std::int64_t>& otherwise);
  bool has_attribute(const std::string& name) const;
  /// Marks an attribute as known and without effect on inference.
  void ignore(const std::string& name) { known_.insert(name); }

  /// The node's first output is what `operation` computes from `inputs`.
  void emit(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs);
  /// The node's first output is its first input.
  void forward();
  /// The node's first output is this constant (Constant nodes).
  void bind_constant(std::shared_ptr<const Constant> constant);
  const Attribute* find(const std::string& name);
  /// Throws where the node has an attribute that the importer has not asked for: it would change the meaning unnoticed.
  void check_attributes() const;

 private:
  const Binding& binding(std::size_t index) const;
  const Constant& constant_binding(std::size_t index) const;
  const Tensor& float_constant(std::size_t index) const;
  void emit_constant(const Operation& operation, const std::vector<ValueId>& inputs);

  const GraphNode& node_;
  ImportState& state_;
  bool folding_ = false;  ///< all inputs are constants: ValueIds are input numbers
  std::set<std::string> known_;
};

/// Throws where one of the dimensions is below 1 or the tensor is larger than kMostElements per sample.
void check_size(const Shape& shape);

}  // namespace tellegen::models::onnx
