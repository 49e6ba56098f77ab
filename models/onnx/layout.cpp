#include "tellegen/models/onnx/layout.h"

#include <algorithm>
#include <memory>

#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/transpose.h"

namespace tellegen::models::onnx {

namespace {

using Order = std::vector<std::size_t>;

/// The order of transposing by `first`, then by `second`.
Order compose(const Order& first, const Order& second) {
  Order order;
  for (const std::size_t axis : second) order.push_back(first[axis]);
  return order;
}

/// Whether dimensions that are not one stay in their order: then the numbers do not move.
bool keeps_numbers(const Order& order, const Shape& input) {
  std::size_t last = 0;
  for (const std::size_t axis : order) {
    if (input[axis] == 1) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

bool is_identity(const Order& order) { return std::is_sorted(order.begin(), order.end()); }

/// Dimensions of one that a reshape takes out of `input`, or nothing where it does anything else.
std::optional<Order> squeezed(const Shape& input, const Shape& output) {
  Order removed;
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < input.size(); ++axis) {
    if (at < output.size() && input[axis] == output[at] &&
        !(input[axis] == 1 && input.size() - axis > output.size() - at))
      ++at;
    else if (input[axis] == 1)
      removed.push_back(axis);
    else
      return std::nullopt;
  }
  return at == output.size() ? std::optional(removed) : std::nullopt;
}

class Simplifier {
 public:
  explicit Simplifier(Network& network) : network_(network) {}

  /// One change at most; true where there was one.
  bool step() {
    const GraphView graph(network_);
    for (std::size_t index = 0; index < network_.nodes.size(); ++index) {
      Node& node = network_.nodes[index];
      const Node* before = node.inputs.size() == 1 ? graph.producer(node.inputs[0]) : nullptr;
      if (join(node, before) || swap_with_squeeze(graph, node, before) || drop(node)) {
        remove_unread(network_);
        return true;
      }
    }
    return false;
  }

 private:
  const Shape& shape(ValueId value) const { return network_.values[static_cast<std::size_t>(value)].shape; }

  bool join(Node& node, const Node* before) {
    const auto *second = as<Transpose>(&node), *first = as<Transpose>(before);
    if (first == nullptr || second == nullptr) return false;
    node.operation = std::make_shared<const Transpose>(compose(first->order(), second->order()));
    node.inputs = before->inputs;
    return true;
  }

  /// Squeeze behind a transpose: squeeze first, so that transposes meet.
  bool swap_with_squeeze(const GraphView& graph, Node& node, const Node* before) {
    const auto* transpose = as<Transpose>(before);
    if (transpose == nullptr || as<Reshape>(&node) == nullptr || !graph.read_once(before->output)) return false;
    const auto removed = squeezed(shape(before->output), shape(node.output));
    if (!removed || removed->empty()) return false;
    const Order& order = transpose->order();
    Shape target = shape(before->inputs[0]);
    Order gone, kept;
    for (std::size_t axis = 0; axis < order.size(); ++axis)
      (std::count(removed->begin(), removed->end(), axis) > 0 ? gone : kept).push_back(order[axis]);
    std::sort(gone.rbegin(), gone.rend());
    for (const std::size_t axis : gone) target.erase(target.begin() + static_cast<std::ptrdiff_t>(axis));
    for (std::size_t& axis : kept)
      axis -=
          static_cast<std::size_t>(std::count_if(gone.begin(), gone.end(), [axis](std::size_t g) { return g < axis; }));
    Node& first = network_.nodes[graph.producer_index(before->output)];
    std::swap(first.name, node.name);
    std::swap(first.source, node.source);
    first.operation = std::make_shared<const Reshape>("squeeze", target);
    network_.values[static_cast<std::size_t>(first.output)].shape = target;
    node.operation = std::make_shared<const Transpose>(kept);
    return true;
  }

  bool drop(Node& node) {
    const auto* transpose = as<Transpose>(&node);
    const bool nothing = transpose != nullptr && is_identity(transpose->order());
    if (nothing && node.inputs[0] != network_.input) {
      bypass(network_, node);
      return true;
    }
    if (transpose == nullptr || nothing || !keeps_numbers(transpose->order(), shape(node.inputs[0]))) return false;
    node.operation = std::make_shared<const Reshape>("reshape", shape(node.output));
    return true;
  }

  Network& network_;
};

}  // namespace

void simplify_layout(Network& network) {
  Simplifier simplifier(network);
  while (simplifier.step()) {
  }
}

}  // namespace tellegen::models::onnx
