#pragma once
// What the importer of one operator sees of its node: attributes, constants, and where to put the operation.

#include <functional>
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
  std::set<std::string> read;  ///< names that needed nodes read, and the output
  /// Imports one more node: of a graph inside of another.
  std::function<void(const GraphNode& node)> import_node;
};

/// The largest tensor per sample; a file that claims more is damaged or hostile.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 28;
/// What stands for the number of samples in integers that a file computes from shapes: no file writes such a number, and
/// its multiples stay recognisable.
inline constexpr std::int64_t kSamples = -(std::int64_t{1} << 40);

/// All functions throw InputError with a text that continues "node 'name' (Op) ...".
class ImportContext {
 public:
  ImportContext(const GraphNode& node, ImportState& state);

  int opset() const { return state_.network.opset; }
  std::int64_t fixed_batch() const { return state_.fixed_batch; }
  std::size_t input_count() const { return node_.inputs.size(); }
  std::size_t output_count() const { return node_.outputs.size(); }
  bool has_input(std::size_t index) const { return index < node_.inputs.size() && !node_.inputs[index].empty(); }
  /// Whether anybody needs output `index`.
  bool output_is_read(std::size_t index) const;
  /// Whether input `index` is a constant beside a computed value. Where all inputs are constants the node is computed
  /// at import, and all of them count as values.
  bool is_constant(std::size_t index) const;
  /// Whether input `index` is a constant, whatever the others are.
  bool is_known(std::size_t index) const;
  /// Whether the constant input `index` holds integers.
  bool holds_integers(std::size_t index) const { return !constant_binding(index).is_float; }
  /// Whether all inputs are constants and the first holds integers.
  bool folds_integers() const;

  ValueId value(std::size_t index);      ///< of a computed input that holds floats
  ValueId any_value(std::size_t index);  ///< of a computed input, floats or integers
  ValueId operand(std::size_t index);    ///< the same as value, but a constant becomes a node that makes it
  Shape shape(std::size_t index) const;  ///< of an input
  const Shape& shape_of(ValueId id) const;
  const Tensor& constant(std::size_t index) const;              ///< finite floats
  const Tensor& constant_or_infinite(std::size_t index) const;  ///< floats
  const Tensor& mask(std::size_t index) const;  ///< floats that may be as negative as -infinity: scores to be left out
  Tensor numbers(std::size_t index) const;      ///< floats, or integers as floats
  const IntTensor& integer_tensor(std::size_t index) const;
  std::vector<std::int64_t> integers(std::size_t index) const;  ///< of a constant of rank 0 or 1

  std::int64_t integer(const std::string& name, std::int64_t otherwise);
  float number(const std::string& name, float otherwise);
  std::string text(const std::string& name, const std::string& otherwise);
  std::vector<std::int64_t> integers(const std::string& name, const std::vector<std::int64_t>& otherwise);
  bool has_attribute(const std::string& name) const;
  /// Marks an attribute as known and without effect on inference.
  void ignore(const std::string& name) { known_.insert(name); }

  /// The value that `operation` computes from `inputs`; `what` makes its name where a node becomes several.
  ValueId compute(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs,
                  const std::string& what = "");
  /// Says that output `index` of the node is this value.
  void bind(std::size_t index, ValueId id);
  /// The node's first output is what `operation` computes from `inputs`.
  void emit(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs);
  /// The node's first output is its first input.
  void forward();
  /// The node's first output is this constant.
  void bind_constant(std::shared_ptr<const Constant> constant);
  void bind_integers(IntTensor integers);
  /// From here on entries of the batch are steps in time.
  void set_streaming() { state_.network.streaming = true; }
  /// Says whether value `id` holds integers.
  void set_integer(ValueId id, bool integer);
  bool is_integer(ValueId id) const { return !folding_ && state_.network.values[id].integer; }
  /// What input `index` stands for.
  const Binding& binding_of(std::size_t index) const { return binding(index); }
  /// Says that output `index` of the node stands for that.
  void bind_as(std::size_t index, const Binding& what) { state_.bindings[node_.outputs.at(index)] = what; }
  /// Output `index` is `parts`, each with a dimension of one in front, one behind the other.
  void bind_stack(std::size_t index, const std::vector<Binding>& parts);
  /// Imports the nodes of a graph inside of this node; `where` is for their names. Gives what its outputs stand for.
  std::vector<Binding> import_branch(const Subgraph& graph, const std::vector<Binding>& inputs,
                                     const std::string& where);
  const Attribute* find(const std::string& name);
  /// Throws where the node has an attribute that the importer has not asked for: it would change the meaning unnoticed.
  void check_attributes() const;

 private:
  const Binding& binding(std::size_t index) const;
  const Constant& constant_binding(std::size_t index) const;
  const Tensor& float_constant(std::size_t index) const;
  ValueId fold(const Operation& operation, const std::vector<ValueId>& inputs);
  ValueId fold_moved_integers(const Operation& operation, const std::vector<ValueId>& inputs);
  ValueId keep_folded(std::shared_ptr<const Constant> constant);

  const GraphNode& node_;
  ImportState& state_;
  bool folding_ = false;  ///< all inputs are constants: ValueIds count folded_
  std::vector<std::shared_ptr<const Constant>> folded_;
  std::set<std::string> known_;
};

/// Throws where one of the dimensions is 0 or the tensor is larger than kMostElements per sample.
void check_size(const Shape& shape);
/// Throws where `tensor` holds what trained numbers must not be; `name` is that of the file.
void check_finite(const Tensor& tensor, const std::string& name);

}  // namespace tellegen::models::onnx
