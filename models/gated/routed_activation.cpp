#include "tellegen/models/gated/routed_activation.h"

#include <algorithm>
#include <cmath>

#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/gather.h"
#include "tellegen/models/operators/softmax.h"

namespace tellegen::models {

namespace {

using onnx::as;
using onnx::GraphView;
using onnx::is;

constexpr double kShareRounding = 1e-4;  // shares are softmaxes in float

/// A sum as it is taken apart.
struct Parts {
  RoutedActivation routed;
  std::vector<const Tensor*> constants;  ///< share of each activation of the palette, or
  std::vector<std::int64_t> chosen;      ///< which entry of the softmax is its share
};

class Matcher {
 public:
  explicit Matcher(const Network& network) : network_(network), graph_(network) {}

  std::optional<RoutedActivation> match(std::size_t root) {
    Parts parts;
    parts.routed.root = root;
    if (!is(&network_.nodes[root], Arithmetic::Kind::add) || !collect(network_.nodes[root].output, true, parts))
      return std::nullopt;
    if (!graph_.closed(parts.routed.nodes, root)) return std::nullopt;
    const bool complete = parts.constants.empty() ? order_by_softmax(parts) : read_shares(parts);
    return complete ? std::optional(std::move(parts.routed)) : std::nullopt;
  }

 private:
  bool collect(ValueId value, bool root, Parts& parts) {
    const Node* node = graph_.producer(value);
    if (node == nullptr || (!root && !graph_.read_once(value))) return false;
    parts.routed.nodes.insert(graph_.producer_index(value));
    if (is(node, Arithmetic::Kind::add) && node->inputs.size() == 2)
      return collect(node->inputs[0], false, parts) && collect(node->inputs[1], false, parts);
    if (!is(node, Arithmetic::Kind::multiply)) return false;
    if (node->inputs.size() == 1) return collect_constant(*node, parts);
    return collect_computed(node->inputs[0], node->inputs[1], parts) ||
           collect_computed(node->inputs[1], node->inputs[0], parts);
  }

  bool add_activation(ValueId value, Parts& parts) {
    const auto* activation = as<Pointwise>(graph_.producer(value));
    if (activation == nullptr) return false;
    const ValueId gate = graph_.producer(value)->inputs[0];
    if (parts.routed.gate != -1 && parts.routed.gate != gate) return false;
    parts.routed.gate = gate;
    parts.routed.palette.push_back(*activation);
    parts.routed.activations.push_back(graph_.producer_index(value));
    parts.routed.nodes.insert(graph_.producer_index(value));
    return true;
  }

  bool collect_constant(const Node& product, Parts& parts) {
    if (!parts.chosen.empty() || !add_activation(product.inputs[0], parts)) return false;
    parts.constants.push_back(&*as<Arithmetic>(&product)->constant());
    return true;
  }

  bool collect_computed(ValueId share, ValueId activated, Parts& parts) {
    const Node* part = graph_.producer(share);
    const auto* select = as<Select>(part);
    if (select == nullptr || select->indices().size() != 1 || !parts.constants.empty()) return false;
    const auto* softmax = as<Softmax>(graph_.producer(part->inputs[0]));
    const std::size_t last = network_.values[static_cast<std::size_t>(part->inputs[0])].shape.size() - 1;
    if (softmax == nullptr || select->axis() != last || softmax->first_axis() != last) return false;
    const std::size_t node = graph_.producer_index(part->inputs[0]);
    if ((parts.routed.softmax && *parts.routed.softmax != node) || !add_activation(activated, parts)) return false;
    parts.routed.softmax = node;
    parts.routed.nodes.insert({node, graph_.producer_index(share)});
    parts.chosen.push_back(select->indices()[0]);
    return true;
  }

  /// The palette in the order of the softmax, which must be used up.
  bool order_by_softmax(Parts& parts) const {
    const Shape& shape = network_.values[static_cast<std::size_t>(network_.nodes[*parts.routed.softmax].output)].shape;
    if (shape.back() != std::ssize(parts.chosen)) return false;
    RoutedActivation ordered = parts.routed;
    std::vector<bool> seen(parts.chosen.size(), false);
    for (std::size_t i = 0; i < parts.chosen.size(); ++i) {
      const auto place = static_cast<std::size_t>(parts.chosen[i]);
      seen[place] = true;
      ordered.palette[place] = parts.routed.palette[i];
      ordered.activations[place] = parts.routed.activations[i];
    }
    parts.routed = std::move(ordered);
    return std::find(seen.begin(), seen.end(), false) == seen.end();
  }

  bool read_shares(Parts& parts) const {
    const std::int64_t neurons = network_.values[static_cast<std::size_t>(parts.routed.gate)].shape.back();
    std::vector<std::vector<double>> shares(static_cast<std::size_t>(neurons));
    for (const Tensor* constant : parts.constants) {
      if (constant->shape.empty() || constant->shape.back() != neurons) return false;
      for (std::int64_t at = 0; at < constant->size(); ++at) {
        const double share = static_cast<double>(constant->data[static_cast<std::size_t>(at)]);
        if (at < neurons)
          shares[static_cast<std::size_t>(at)].push_back(share);
        else if (share != shares[static_cast<std::size_t>(at % neurons)].back())
          return false;
      }
    }
    parts.routed.shares = std::move(shares);
    return std::all_of(parts.routed.shares.begin(), parts.routed.shares.end(), [](const std::vector<double>& row) {
      double sum = 0;
      for (const double share : row) sum += share;
      return std::abs(sum - 1) < kShareRounding && *std::min_element(row.begin(), row.end()) >= 0;
    });
  }

  const Network& network_;
  GraphView graph_;
};

}  // namespace

std::vector<RoutedActivation> routed_activations(const Network& network) {
  Matcher matcher(network);
  std::vector<RoutedActivation> found;
  std::set<std::size_t> used;
  for (std::size_t root = network.nodes.size(); root-- > 0;) {
    if (used.contains(root)) continue;
    std::optional<RoutedActivation> routed = matcher.match(root);
    if (!routed) continue;
    used.insert(routed->nodes.begin(), routed->nodes.end());
    found.push_back(std::move(*routed));
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace tellegen::models
