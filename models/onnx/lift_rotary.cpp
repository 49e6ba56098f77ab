#include <algorithm>

#include "tellegen/models/onnx/lift.h"
#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/concat.h"
#include "tellegen/models/operators/rotary.h"
#include "tellegen/models/operators/slice.h"

namespace tellegen::models::onnx {

namespace {

struct Match {
  ValueId input = -1;
  const Tensor *cosine = nullptr, *sine = nullptr;
  std::set<std::size_t> nodes;
};

class RotaryMatcher {
 public:
  explicit RotaryMatcher(const GraphView& graph) : graph_(graph) {}

  std::optional<Match> match(std::size_t index) const {
    const Node& sum = graph_.network().nodes[index];
    if (!is(&sum, Arithmetic::Kind::add) || sum.inputs.size() != 2) return std::nullopt;
    for (std::size_t side = 0; side < 2; ++side) {
      Match match;
      match.nodes.insert(index);
      const Node* plain = product(sum.inputs[side], match.cosine, match);
      const Node* turned = product(sum.inputs[1 - side], match.sine, match);
      if (plain == nullptr || turned == nullptr) continue;
      match.input = plain->inputs[0];
      if (is_turned(turned->inputs[0], match) && fits(match) && graph_.closed(match.nodes, index)) return match;
    }
    return std::nullopt;
  }

 private:
  const Shape& shape(ValueId value) const { return graph_.network().values[static_cast<std::size_t>(value)].shape; }

  const Node* product(ValueId value, const Tensor*& constant, Match& match) const {
    const Node* node = graph_.producer(value);
    const auto* arithmetic = as<Arithmetic>(node);
    if (arithmetic == nullptr || arithmetic->kind() != Arithmetic::Kind::multiply || !arithmetic->constant())
      return nullptr;
    constant = &*arithmetic->constant();
    match.nodes.insert(graph_.producer_index(value));
    return node;
  }

  /// Entries start .. start + size / 2 - 1 of the last dimension of the match's input.
  bool is_half(ValueId value, std::int64_t start, Match& match) const {
    const Node* node = graph_.producer(value);
    const auto* slice = as<Slice>(node);
    if (slice == nullptr || node->inputs[0] != match.input || slice->ranges().size() != 1) return false;
    const Shape& whole = shape(match.input);
    const Slice::Range& range = slice->ranges()[0];
    match.nodes.insert(graph_.producer_index(value));
    return range.axis + 1 == whole.size() && range.step == 1 && range.start == start && range.count * 2 == whole.back();
  }

  bool is_turned(ValueId value, Match& match) const {
    const Node* node = graph_.producer(value);
    const auto* concat = as<Concat>(node);
    const Shape& whole = shape(match.input);
    if (concat == nullptr || node->inputs.size() != 2 || concat->axis() + 1 != whole.size()) return false;
    const Node* negative = graph_.producer(node->inputs[0]);
    if (!is(negative, Elementary::Kind::negative)) return false;
    match.nodes.insert({graph_.producer_index(value), graph_.producer_index(node->inputs[0])});
    return is_half(negative->inputs[0], whole.back() / 2, match) && is_half(node->inputs[1], 0, match);
  }

  /// Whether the factors are laid out as the trailing dimensions of the input, without broadcasting inside.
  bool fits(const Match& match) const {
    Shape factor = match.cosine->shape;
    if (match.sine->shape != factor) return false;
    while (!factor.empty() && factor.front() == 1) factor.erase(factor.begin());
    const Shape& whole = shape(match.input);
    return !factor.empty() && factor.size() <= whole.size() &&
           std::equal(factor.rbegin(), factor.rend(), whole.rbegin());
  }

  const GraphView& graph_;
};

}  // namespace

void lift_rotary(Network& network) {
  const GraphView graph(network);
  std::vector<std::pair<std::size_t, Match>> found;
  for (std::size_t index = 0; index < network.nodes.size(); ++index)
    if (auto match = RotaryMatcher(graph).match(index)) found.emplace_back(index, std::move(*match));
  for (auto& [index, match] : found)
    replace(network, index, match.nodes, "rotary embedding", std::make_shared<const Rotary>(*match.cosine, *match.sine),
            {match.input});
  remove_unread(network);
}

}  // namespace tellegen::models::onnx
