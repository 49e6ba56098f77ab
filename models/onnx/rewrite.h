#pragma once
// What rewrites of a network have in common: who makes and who reads a value, and taking nodes out.

#include <optional>
#include <set>
#include <vector>

#include "tellegen/models/network.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/elementary.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models::onnx {

/// Producers and readers of a network's values. Valid until nodes are added or removed.
class GraphView {
 public:
  explicit GraphView(const Network& network);
  /// The node that makes a value, or null for the input.
  const Node* producer(ValueId value) const;
  std::size_t producer_index(ValueId value) const { return producers_[static_cast<std::size_t>(value)]; }
  const std::vector<std::size_t>& readers(ValueId value) const { return readers_[static_cast<std::size_t>(value)]; }
  /// Whether exactly one node reads the value, once, and it is not the output.
  bool read_once(ValueId value) const { return readers(value).size() == 1 && value != network_.output; }
  const Network& network() const { return network_; }
  /// Whether nothing but nodes of `inside` reads what they make, `root` excepted.
  bool closed(const std::set<std::size_t>& inside, std::size_t root) const;

 private:
  const Network& network_;
  std::vector<std::size_t> producers_;
  std::vector<std::vector<std::size_t>> readers_;
};

/// The operation of `node` if it is a T.
template <class T>
const T* as(const Node* node) {
  return node == nullptr ? nullptr : dynamic_cast<const T*>(node->operation.get());
}
inline bool is(const Node* node, Elementary::Kind kind) {
  const auto* elementary = as<Elementary>(node);
  return elementary != nullptr && elementary->kind() == kind;
}
inline bool is(const Node* node, Pointwise::Kind kind) {
  const auto* pointwise = as<Pointwise>(node);
  return pointwise != nullptr && pointwise->kind() == kind;
}
inline bool is(const Node* node, Arithmetic::Kind kind) {
  const auto* arithmetic = as<Arithmetic>(node);
  return arithmetic != nullptr && arithmetic->kind() == kind;
}
/// The one number that an operation of two operands has as a constant.
std::optional<double> scalar(const Node* node);
bool near(double value, double wanted);  ///< within 1e-5 of it

/// A value as scale * product of `over` / product of `under`, through all nodes that only multiply, and which they are.
/// Squares and cubes count as repeated factors.
struct Factors {
  double scale = 1;
  std::vector<ValueId> over, under;
  std::set<std::size_t> nodes;
};
Factors factors(const GraphView& graph, ValueId value);

/// Replaces the node `root` by `operation` on `inputs`; what it made `inside` unread disappears with remove_unread.
/// Notes a group.
void replace(Network& network, std::size_t root, const std::set<std::size_t>& inside, const std::string& kind,
             std::shared_ptr<const Operation> operation, std::vector<ValueId> inputs);

/// Removes nodes whose output nobody reads any more, and their values.
void remove_unread(Network& network);
/// Takes `node` out: whoever read its output reads its input, which gets the name.
void bypass(Network& network, Node& node);

}  // namespace tellegen::models::onnx
