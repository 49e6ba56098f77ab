#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/models/onnx/lift.h"
#include "tellegen/models/onnx/rewrite.h"

namespace tellegen::models::onnx {

namespace {

struct Match {
  std::string kind;
  Pointwise activation{Pointwise::Kind::relu};
  ValueId input = -1;
  std::set<std::size_t> nodes;
};

class ActivationMatcher {
 public:
  explicit ActivationMatcher(const GraphView& graph) : graph_(graph) {}

  std::optional<Match> match(ValueId value) {
    const Factors product = factors(graph_, value);
    if (product.nodes.empty()) return std::nullopt;
    if (product.over.size() == 1 && product.under.size() == 1) return tanh_sech(product);
    if (product.over.size() != 2 || !product.under.empty()) return std::nullopt;
    for (std::size_t side = 0; side < 2; ++side) {
      const ValueId x = product.over[side], gate = product.over[1 - side];
      for (const auto& attempt : {swish(product, x, gate), gelu(product, x, gate)})
        if (attempt) return attempt;
    }
    return std::nullopt;
  }

 private:
  /// Whether `value` is scale * x; notes the nodes between.
  std::optional<double> multiple_of(ValueId value, ValueId x, std::set<std::size_t>& nodes) const {
    if (value == x) return 1.0;
    const Factors product = factors(graph_, value);
    if (product.over != std::vector{x} || !product.under.empty()) return std::nullopt;
    nodes.insert(product.nodes.begin(), product.nodes.end());
    return product.scale;
  }

  std::optional<Match> tanh_sech(const Factors& product) const {
    const Node *tanh = graph_.producer(product.over[0]), *cosh = graph_.producer(product.under[0]);
    if (!is(tanh, Pointwise::Kind::tanh) || !is(cosh, Elementary::Kind::cosh) || tanh->inputs != cosh->inputs)
      return std::nullopt;
    Match match{"tanh sech", Pointwise(Pointwise::Kind::tanh_sech, static_cast<float>(product.scale)), tanh->inputs[0],
                product.nodes};
    match.nodes.insert({graph_.producer_index(product.over[0]), graph_.producer_index(product.under[0])});
    return match;
  }

  std::optional<Match> swish(const Factors& product, ValueId x, ValueId gate) const {
    const Node* sigmoid = graph_.producer(gate);
    if (!is(sigmoid, Pointwise::Kind::sigmoid) || !near(product.scale, 1)) return std::nullopt;
    Match match{"SiLU", Pointwise(Pointwise::Kind::silu), x, product.nodes};
    match.nodes.insert(graph_.producer_index(gate));
    const std::optional<double> beta = multiple_of(sigmoid->inputs[0], x, match.nodes);
    if (!beta) return std::nullopt;
    if (*beta == 1) return match;
    match.kind = near(*beta, 1.702) ? "quick GELU" : "swish";
    match.activation = Pointwise(Pointwise::Kind::swish, static_cast<float>(*beta));
    return match;
  }

  /// x (1 + s) / 2 with s = erf(x / sqrt(2)) or tanh(sqrt(2 / pi) (x + 0.044715 x^3)).
  std::optional<Match> gelu(const Factors& product, ValueId x, ValueId gate) const {
    const Node* sum = graph_.producer(gate);
    if (!near(product.scale, 0.5) || !is(sum, Arithmetic::Kind::add) || !near(scalar(sum).value_or(0), 1))
      return std::nullopt;
    Match match{"GELU (erf)", Pointwise(Pointwise::Kind::gelu_erf), x, product.nodes};
    const ValueId inner = sum->inputs[0];
    match.nodes.insert({graph_.producer_index(gate), graph_.producer_index(inner)});
    const Node* curve = graph_.producer(inner);
    if (is(curve, Elementary::Kind::erf)) {
      const auto scale = multiple_of(curve->inputs[0], x, match.nodes);
      if (scale && near(*scale, std::numbers::sqrt2 / 2)) return match;
    } else if (is(curve, Pointwise::Kind::tanh) && is_cubic(curve->inputs[0], x, match.nodes)) {
      match.kind = "GELU (tanh)";
      match.activation = Pointwise(Pointwise::Kind::gelu_tanh);
      return match;
    }
    return std::nullopt;
  }

  bool is_cubic(ValueId value, ValueId x, std::set<std::size_t>& nodes) const {
    Factors product = factors(graph_, value);
    if (!near(product.scale, std::sqrt(2 / std::numbers::pi)) || !product.under.empty()) return false;
    nodes.insert(product.nodes.begin(), product.nodes.end());
    // Either x + c x^3, or x (1 + c x^2).
    const auto taken = std::find(product.over.begin(), product.over.end(), x);
    const bool factored = taken != product.over.end();
    if (factored) product.over.erase(taken);
    if (product.over.size() != 1) return false;
    const Node* sum = graph_.producer(product.over[0]);
    if (!is(sum, Arithmetic::Kind::add)) return false;
    nodes.insert(graph_.producer_index(product.over[0]));
    if (factored) return near(scalar(sum).value_or(0), 1) && is_power(sum->inputs[0], x, 2, nodes);
    if (sum->inputs.size() != 2) return false;
    return (sum->inputs[0] == x && is_power(sum->inputs[1], x, 3, nodes)) ||
           (sum->inputs[1] == x && is_power(sum->inputs[0], x, 3, nodes));
  }

  /// 0.044715 x^exponent.
  bool is_power(ValueId value, ValueId x, std::size_t exponent, std::set<std::size_t>& nodes) const {
    const Factors product = factors(graph_, value);
    nodes.insert(product.nodes.begin(), product.nodes.end());
    return near(product.scale, 0.044715) && product.under.empty() && product.over == std::vector<ValueId>(exponent, x);
  }

  const GraphView& graph_;
};

}  // namespace

void lift_activations(Network& network) {
  const GraphView graph(network);
  std::set<std::size_t> used;
  std::vector<std::pair<std::size_t, Match>> found;
  // From the end, so that a factor in front of or behind an activation is seen before the activation without it.
  for (std::size_t index = network.nodes.size(); index-- > 0;) {
    if (used.contains(index)) continue;
    auto match = ActivationMatcher(graph).match(network.nodes[index].output);
    if (!match || !match->nodes.contains(index) || !graph.closed(match->nodes, index)) continue;
    used.insert(match->nodes.begin(), match->nodes.end());
    found.emplace_back(index, std::move(*match));
  }
  for (auto at = found.rbegin(); at != found.rend(); ++at)
    replace(network, at->first, at->second.nodes, at->second.kind,
            std::make_shared<const Pointwise>(at->second.activation), {at->second.input});
  remove_unread(network);
}

}  // namespace tellegen::models::onnx
