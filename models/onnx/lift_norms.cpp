#include <algorithm>

#include "tellegen/models/onnx/lift.h"
#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/axes.h"
#include "tellegen/models/operators/normalization.h"
#include "tellegen/models/operators/reduce.h"

namespace tellegen::models::onnx {

namespace {

struct Match {
  Normalization::Kind kind = Normalization::Kind::rms;
  std::size_t axis = 0, root = 0;
  float epsilon = 0;
  std::vector<float> scale, shift;
  ValueId input = -1;
  std::set<std::size_t> nodes;
};

class NormMatcher {
 public:
  explicit NormMatcher(const GraphView& graph) : graph_(graph) {}

  std::optional<Match> match(std::size_t index) {
    const Factors product = factors(graph_, graph_.network().nodes[index].output);
    if (product.nodes.empty() || !near(product.scale, 1) || product.over.size() != 1 || product.under.size() != 1)
      return std::nullopt;
    Match match;
    match.root = index;
    match.nodes = product.nodes;
    const ValueId numerator = product.over[0];
    if (!deviation(product.under[0], numerator, match)) return std::nullopt;
    match.input = numerator;
    if (const auto centred = centred_input(numerator, match)) {
      match.kind = Normalization::Kind::layer;
      match.input = *centred;
    }
    take_scale_and_shift(match);
    if (!graph_.closed(match.nodes, match.root)) return std::nullopt;
    return match;
  }

 private:
  void note(ValueId value, Match& match) const { match.nodes.insert(graph_.producer_index(value)); }

  /// The first of the trailing dimensions that a kept mean goes over.
  std::optional<std::size_t> mean_axis(ValueId value, Match& match) const {
    const Node* node = graph_.producer(value);
    const auto* mean = as<Reduce>(node);
    if (mean == nullptr || mean->kind() != Reduce::Kind::mean || !mean->keeps()) return std::nullopt;
    const std::size_t rank = graph_.network().values[static_cast<std::size_t>(node->inputs[0])].shape.size();
    const std::vector<std::size_t>& axes = mean->axes();
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes[i] != rank - axes.size() + i) return std::nullopt;
    note(value, match);
    return axes.front();
  }

  /// sqrt(mean(u^2) + epsilon).
  bool deviation(ValueId value, ValueId u, Match& match) const {
    const Node* root = graph_.producer(value);
    const bool power = is(root, Arithmetic::Kind::power) && scalar(root) == 0.5;
    if (!is(root, Elementary::Kind::square_root) && !power) return false;
    note(value, match);
    const Node* sum = graph_.producer(root->inputs[0]);
    if (!is(sum, Arithmetic::Kind::add) || !scalar(sum)) return false;
    note(root->inputs[0], match);
    match.epsilon = static_cast<float>(*scalar(sum));
    const auto axis = mean_axis(sum->inputs[0], match);
    if (!axis) return false;
    match.axis = *axis;
    const Factors square = factors(graph_, graph_.producer(sum->inputs[0])->inputs[0]);
    match.nodes.insert(square.nodes.begin(), square.nodes.end());
    return near(square.scale, 1) && square.under.empty() && square.over == std::vector<ValueId>(2, u);
  }

  /// x, where u = x - mean(x) over the same dimensions.
  std::optional<ValueId> centred_input(ValueId u, Match& match) const {
    const Node* difference = graph_.producer(u);
    if (!is(difference, Arithmetic::Kind::subtract) || difference->inputs.size() != 2) return std::nullopt;
    Match attempt = match;
    const auto axis = mean_axis(difference->inputs[1], attempt);
    const ValueId x = difference->inputs[0];
    if (axis != match.axis || graph_.producer(difference->inputs[1])->inputs[0] != x) return std::nullopt;
    note(u, attempt);
    match = std::move(attempt);
    return x;
  }

  /// The constant of the only reader of the root, if it has the size of what is normalised.
  const std::vector<float>* next_constant(const Match& match, Arithmetic::Kind kind) const {
    const ValueId value = graph_.network().nodes[match.root].output;
    if (!graph_.read_once(value)) return nullptr;
    const Node& reader = graph_.network().nodes[graph_.readers(value)[0]];
    const auto* arithmetic = as<Arithmetic>(&reader);
    if (arithmetic == nullptr || arithmetic->kind() != kind || !arithmetic->constant()) return nullptr;
    const Shape& shape = graph_.network().values[static_cast<std::size_t>(value)].shape;
    const Shape normalised(shape.begin() + static_cast<std::ptrdiff_t>(match.axis), shape.end());
    return arithmetic->constant()->shape == normalised ? &arithmetic->constant()->data : nullptr;
  }

  void take_scale_and_shift(Match& match) const {
    const auto step = [&] {
      match.root = graph_.readers(graph_.network().nodes[match.root].output)[0];
      match.nodes.insert(match.root);
    };
    if (const auto* scale = next_constant(match, Arithmetic::Kind::multiply)) {
      match.scale = *scale;
      step();
    }
    if (const auto* shift = next_constant(match, Arithmetic::Kind::add)) {
      match.shift = *shift;
      step();
    }
  }

  const GraphView& graph_;
};

}  // namespace

void lift_norms(Network& network) {
  const GraphView graph(network);
  std::vector<Match> found;
  for (std::size_t index = 0; index < network.nodes.size(); ++index)
    if (auto match = NormMatcher(graph).match(index)) found.push_back(std::move(*match));
  for (Match& match : found) {
    const char* kind = match.kind == Normalization::Kind::layer ? "LayerNorm" : "RMSNorm";
    replace(network, match.root, match.nodes, kind,
            std::make_shared<const Normalization>(match.kind, match.axis, match.epsilon, std::move(match.scale),
                                                  std::move(match.shift)),
            {match.input});
  }
  remove_unread(network);
}

}  // namespace tellegen::models::onnx
