#include <algorithm>

#include "tellegen/models/onnx/lift.h"
#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/selection.h"

namespace tellegen::models::onnx {

namespace {

struct Match {
  ValueId input = -1;
  std::vector<Pointwise> palette;
  std::vector<const Tensor*> masks;
  std::set<std::size_t> nodes;
};

/// Walks a tree of sums down to mask * activation(x) with one and the same x.
bool collect(const GraphView& graph, ValueId value, bool root, Match& match) {
  const Node* node = graph.producer(value);
  if (node == nullptr || (!root && !graph.read_once(value))) return false;
  match.nodes.insert(graph.producer_index(value));
  if (is(node, Arithmetic::Kind::add) && node->inputs.size() == 2)
    return collect(graph, node->inputs[0], false, match) && collect(graph, node->inputs[1], false, match);
  const auto* mask = as<Arithmetic>(node);
  if (mask == nullptr || mask->kind() != Arithmetic::Kind::multiply || !mask->constant()) return false;
  const Node* activation = graph.producer(node->inputs[0]);
  const auto* pointwise = as<Pointwise>(activation);
  if (pointwise == nullptr || (match.input != -1 && match.input != activation->inputs[0])) return false;
  match.input = activation->inputs[0];
  match.nodes.insert(graph.producer_index(node->inputs[0]));
  match.palette.push_back(*pointwise);
  match.masks.push_back(&*mask->constant());
  return true;
}

/// Which activation each element has; nothing unless masks have one 1 for each and zeros else.
std::optional<std::vector<std::size_t>> read_choice(const Match& match, std::int64_t width) {
  std::vector<std::size_t> choice(static_cast<std::size_t>(width), match.masks.size());
  for (std::size_t kind = 0; kind < match.masks.size(); ++kind) {
    const Tensor& mask = *match.masks[kind];
    if (mask.size() != width || mask.shape.back() != width) return std::nullopt;
    for (std::size_t i = 0; i < choice.size(); ++i) {
      if (mask.data[i] == 0) continue;
      if (mask.data[i] != 1 || choice[i] != match.masks.size()) return std::nullopt;
      choice[i] = kind;
    }
  }
  const bool all = std::all_of(choice.begin(), choice.end(), [&](std::size_t c) { return c < match.masks.size(); });
  return all ? std::optional(choice) : std::nullopt;
}

}  // namespace

void lift_selections(Network& network) {
  const GraphView graph(network);
  std::set<std::size_t> used;
  for (std::size_t index = network.nodes.size(); index-- > 0;) {
    if (used.contains(index)) continue;
    Match match;
    if (!is(&network.nodes[index], Arithmetic::Kind::add) ||
        !collect(graph, network.nodes[index].output, true, match) || !graph.closed(match.nodes, index))
      continue;
    const auto choice = read_choice(match, network.values[static_cast<std::size_t>(match.input)].shape.back());
    if (!choice) continue;
    used.insert(match.nodes.begin(), match.nodes.end());
    replace(network, index, match.nodes, "activation per neuron",
            std::make_shared<const Selection>(match.palette, *choice), {match.input});
  }
  remove_unread(network);
}

}  // namespace tellegen::models::onnx
