#include <algorithm>

#include "tellegen/models/onnx/lift.h"
#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/choose.h"
#include "tellegen/models/operators/constant.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/operators/matrix_product.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/models/operators/slice.h"
#include "tellegen/models/operators/softmax.h"

namespace tellegen::models::onnx {

namespace {

/// Whether the last two dimensions of `mask` are a square whose entries above the diagonal are the least.
bool is_causal(const Tensor& mask) {
  const std::size_t rank = mask.shape.size();
  if (rank < 2 || mask.shape[rank - 1] != mask.shape[rank - 2] || mask.shape[rank - 1] < 2) return false;
  const std::int64_t size = mask.shape[rank - 1];
  const float hidden = mask.data[1];
  for (std::int64_t row = 0; row < size; ++row)
    for (std::int64_t column = 0; column < size; ++column) {
      const float entry = mask.data[row * size + column];
      if (column > row ? entry > -1e3F || entry != hidden : entry != 0) return false;
    }
  return true;
}

/// Whether a condition holds on and below the diagonal only.
bool is_lower_triangle(const Node* condition) {
  const auto* constant = as<ConstantTensor>(condition);
  if (constant == nullptr) return false;
  Tensor scores = constant->tensor();
  for (float& entry : scores.data) entry = entry != 0 ? 0.0F : -1e9F;
  return is_causal(scores);
}

class GroupNamer {
 public:
  GroupNamer(Network& network, const GraphView& graph) : network_(network), graph_(graph) {}

  /// softmax(scale * scores + mask) values, scores and the last product computed from two values each.
  void name_attention(const Node& softmax) {
    std::vector<const Node*> nodes{&softmax};
    bool causal = false;
    const Node* node = graph_.producer(softmax.inputs[0]);
    for (;;) {
      const auto* arithmetic = as<Arithmetic>(node);
      const bool chosen = as<Choose>(node) != nullptr;
      if (!chosen && (arithmetic == nullptr || !arithmetic->constant())) break;
      const bool masks = chosen ? is_lower_triangle(graph_.producer(node->inputs[0]))
                                : arithmetic->kind() == Arithmetic::Kind::add && is_causal(*arithmetic->constant());
      causal = causal || masks;
      nodes.push_back(node);
      node = graph_.producer(node->inputs[chosen ? 1 : 0]);
    }
    if (as<MatrixProduct>(node) == nullptr || !graph_.read_once(softmax.output)) return;
    nodes.push_back(node);
    const Node& last = network_.nodes[graph_.readers(softmax.output)[0]];
    if (as<MatrixProduct>(&last) == nullptr || last.inputs[0] != softmax.output) return;
    std::reverse(nodes.begin(), nodes.end());
    nodes.push_back(&last);
    note(causal ? "causal attention" : "attention", nodes);
  }

  /// activation(W x) times V x, or of two halves of one product.
  void name_gated(const Node& product) {
    if (!is(&product, Arithmetic::Kind::multiply) || product.inputs.size() != 2) return;
    for (std::size_t side = 0; side < 2; ++side) {
      const Node* gate = graph_.producer(product.inputs[side]);
      if (gate == nullptr || gate->inputs.empty()) continue;
      const std::string kind = gated_kind(*gate);
      const auto left = linear_source(gate->inputs[0]), right = linear_source(product.inputs[1 - side]);
      if (kind.empty() || !left || left != right) continue;
      note(kind, {graph_.producer(gate->inputs[0]), gate, graph_.producer(product.inputs[1 - side]), &product});
      return;
    }
  }

 private:
  static std::string gated_kind(const Node& gate) {
    if (as<Selection>(&gate) != nullptr) return "PolyGLU (frozen)";
    const auto* activation = as<Pointwise>(&gate);
    if (activation == nullptr) return "";
    switch (activation->kind()) {
      case Pointwise::Kind::sigmoid:
        return "GLU";
      case Pointwise::Kind::relu:
        return "ReGLU";
      case Pointwise::Kind::silu:
      case Pointwise::Kind::swish:
        return "SwiGLU";
      case Pointwise::Kind::gelu_erf:
      case Pointwise::Kind::gelu_tanh:
        return "GeGLU";
      case Pointwise::Kind::tanh_sech:
        return "MemGLU";
      default:
        return "";
    }
  }

  /// The value that a linear layer reads of which `value` is all or a slice.
  std::optional<ValueId> linear_source(ValueId value) const {
    const Node* node = graph_.producer(value);
    if (as<Slice>(node) != nullptr) node = graph_.producer(node->inputs[0]);
    return as<Linear>(node) == nullptr ? std::nullopt : std::optional(node->inputs[0]);
  }

  void note(const std::string& kind, const std::vector<const Node*>& nodes) {
    Group group{kind, {}, false};
    for (const Node* node : nodes) group.nodes.push_back(node->source.node_name);
    network_.groups.push_back(std::move(group));
  }

  Network& network_;
  const GraphView& graph_;
};

}  // namespace

void name_groups(Network& network) {
  const GraphView graph(network);
  GroupNamer namer(network, graph);
  for (const Node& node : network.nodes) {
    if (as<Softmax>(&node) != nullptr) namer.name_attention(node);
    namer.name_gated(node);
  }
}

}  // namespace tellegen::models::onnx
