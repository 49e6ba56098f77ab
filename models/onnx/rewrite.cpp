#include "tellegen/models/onnx/rewrite.h"

#include <algorithm>
#include <cmath>

namespace tellegen::models::onnx {

namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// Walks products from a value down to what is no product.
class Factoring {
 public:
  Factoring(const GraphView& graph, Factors& result) : graph_(graph), result_(result) {}

  void walk(ValueId value, bool inverse, bool root) {
    const Node* node = graph_.producer(value);
    if (node == nullptr || (!root && !graph_.read_once(value)) || !descend(*node, inverse))
      (inverse ? result_.under : result_.over).push_back(value);
    else
      result_.nodes.insert(graph_.producer_index(value));
  }

 private:
  bool descend(const Node& node, bool inverse) {
    if (is(&node, Elementary::Kind::reciprocal)) {
      walk(node.inputs[0], !inverse, false);
      return true;
    }
    if (is(&node, Elementary::Kind::negative)) {
      result_.scale = -result_.scale;
      walk(node.inputs[0], inverse, false);
      return true;
    }
    const auto* arithmetic = as<Arithmetic>(&node);
    if (arithmetic == nullptr) return false;
    return arithmetic->constant() ? descend_constant(node, *arithmetic, inverse)
                                  : descend_values(node, arithmetic->kind(), inverse);
  }

  bool descend_constant(const Node& node, const Arithmetic& arithmetic, bool inverse) {
    const std::optional<double> number = scalar(&node);
    if (!number || *number == 0) return false;
    const bool divides = arithmetic.kind() == Arithmetic::Kind::divide;
    if (arithmetic.kind() == Arithmetic::Kind::power) {
      if (arithmetic.constant_first() || (*number != 2 && *number != 3)) return false;
      for (int i = 0; i < static_cast<int>(*number); ++i)
        (inverse ? result_.under : result_.over).push_back(node.inputs[0]);
      return true;
    }
    if (!divides && arithmetic.kind() != Arithmetic::Kind::multiply) return false;
    const bool number_over = (!divides || arithmetic.constant_first()) != inverse;
    result_.scale *= number_over ? *number : 1 / *number;
    walk(node.inputs[0], divides && arithmetic.constant_first() ? !inverse : inverse, false);
    return true;
  }

  bool descend_values(const Node& node, Arithmetic::Kind kind, bool inverse) {
    if (kind != Arithmetic::Kind::multiply && kind != Arithmetic::Kind::divide) return false;
    walk(node.inputs[0], inverse, false);
    walk(node.inputs[1], kind == Arithmetic::Kind::divide ? !inverse : inverse, false);
    return true;
  }

  const GraphView& graph_;
  Factors& result_;
};

}  // namespace

GraphView::GraphView(const Network& network)
    : network_(network), producers_(network.values.size(), kNobody), readers_(network.values.size()) {
  for (std::size_t index = 0; index < network.nodes.size(); ++index) {
    producers_[static_cast<std::size_t>(network.nodes[index].output)] = index;
    for (const ValueId input : network.nodes[index].inputs) readers_[static_cast<std::size_t>(input)].push_back(index);
  }
}

const Node* GraphView::producer(ValueId value) const {
  const std::size_t index = producer_index(value);
  return index == kNobody ? nullptr : &network_.nodes[index];
}

bool GraphView::closed(const std::set<std::size_t>& inside, std::size_t root) const {
  return std::all_of(inside.begin(), inside.end(), [&](std::size_t index) {
    const ValueId output = network_.nodes[index].output;
    if (index == root) return true;
    const auto& all = readers(output);
    return output != network_.output &&
           std::all_of(all.begin(), all.end(), [&](std::size_t reader) { return inside.contains(reader); });
  });
}

std::optional<double> scalar(const Node* node) {
  const auto* arithmetic = as<Arithmetic>(node);
  if (arithmetic == nullptr || !arithmetic->constant() || arithmetic->constant()->size() != 1) return std::nullopt;
  return static_cast<double>(arithmetic->constant()->data[0]);
}

bool near(double value, double wanted) { return std::abs(value - wanted) < 1e-5; }

Factors factors(const GraphView& graph, ValueId value) {
  Factors result;
  Factoring(graph, result).walk(value, false, true);
  return result;
}

void replace(Network& network, std::size_t root, const std::set<std::size_t>& inside, const std::string& kind,
             std::shared_ptr<const Operation> operation, std::vector<ValueId> inputs) {
  Group group{kind, {}, true};
  for (const std::size_t index : inside) group.nodes.push_back(network.nodes[index].source.node_name);
  network.groups.push_back(std::move(group));
  Node& node = network.nodes[root];
  node.operation = std::move(operation);
  node.inputs = std::move(inputs);
  node.source.op_type = kind;
}

void remove_unread(Network& network) {
  std::vector<int> readers(network.values.size(), 0);
  ++readers[static_cast<std::size_t>(network.output)];
  std::vector<Node> read;
  for (auto node = network.nodes.rbegin(); node != network.nodes.rend(); ++node) {
    if (readers[static_cast<std::size_t>(node->output)] == 0) continue;
    for (const ValueId input : node->inputs) ++readers[static_cast<std::size_t>(input)];
    read.push_back(std::move(*node));
  }
  std::reverse(read.begin(), read.end());
  network.nodes = std::move(read);
  std::vector<ValueId> renumbered(network.values.size(), -1);
  std::vector<Value> kept;
  const auto keep = [&](ValueId id) {
    renumbered[id] = static_cast<ValueId>(kept.size());
    kept.push_back(network.values[id]);
  };
  keep(network.input);
  for (const Node& node : network.nodes) keep(node.output);
  for (Node& node : network.nodes) {
    node.output = renumbered[node.output];
    for (ValueId& input : node.inputs) input = renumbered[input];
  }
  network.input = renumbered[network.input];
  network.output = renumbered[network.output];
  network.values = std::move(kept);
}

void bypass(Network& network, Node& node) {
  const ValueId from = node.output, to = node.inputs[0];
  node.inputs.clear();
  for (Node& reader : network.nodes) std::replace(reader.inputs.begin(), reader.inputs.end(), from, to);
  network.values[to].name = network.values[from].name;
  if (network.output == from) network.output = to;
}

}  // namespace tellegen::models::onnx
