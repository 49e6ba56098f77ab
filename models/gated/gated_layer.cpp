#include "tellegen/models/gated/gated_layer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tellegen/models/gated/routed_activation.h"
#include "tellegen/models/gated/tail_cut.h"
#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/models/operators/slice.h"

namespace tellegen::models {

namespace {

using onnx::as;

class Finder {
 public:
  explicit Finder(const Network& network) : network_(network), graph_(network) {
    for (const RoutedActivation& routed : routed_activations(network))
      routed_[network.nodes[routed.root].output] = routed;
  }

  std::optional<GatedLayer> find(const Node& product) const {
    if (!onnx::is(&product, Arithmetic::Kind::multiply) || product.inputs.size() != 2) return std::nullopt;
    for (std::size_t side = 0; side < 2; ++side) {
      GatedLayer layer;
      layer.name = product.name;
      layer.gated = product.inputs[side];
      layer.hidden = product.output;
      if (!read_phi(layer)) continue;
      const std::optional<std::size_t> gate = matrix_of(layer.gate), up = matrix_of(product.inputs[1 - side]);
      if (!gate || !up || network_.nodes[*gate].inputs != network_.nodes[*up].inputs) continue;
      layer.matrices = {*gate, *up};
      if (!read_down(layer)) continue;
      std::sort(layer.matrices.begin(), layer.matrices.end());
      layer.matrices.erase(std::unique(layer.matrices.begin(), layer.matrices.end()), layer.matrices.end());
      return layer;
    }
    return std::nullopt;
  }

 private:
  bool read_phi(GatedLayer& layer) const {
    if (const auto found = routed_.find(layer.gated); found != routed_.end()) {
      layer.gate = found->second.gate;
      layer.function = "routed activations";
      layer.activations = found->second.activations;
      return true;
    }
    const Node* node = graph_.producer(layer.gated);
    if (as<Pointwise>(node) == nullptr && as<Selection>(node) == nullptr && as<TailCut>(node) == nullptr) return false;
    if (!graph_.read_once(layer.gated)) return false;
    layer.gate = node->inputs[0];
    layer.function = node->operation->label();
    layer.activations = {graph_.producer_index(layer.gated)};
    return true;
  }

  /// The linear layer of which `value` is all or a slice.
  std::optional<std::size_t> matrix_of(ValueId value) const {
    const Node* node = graph_.producer(value);
    if (as<Slice>(node) != nullptr) value = node->inputs[0];
    return as<Linear>(graph_.producer(value)) == nullptr ? std::nullopt : std::optional(graph_.producer_index(value));
  }

  bool read_down(GatedLayer& layer) const {
    const std::vector<std::size_t>& readers = graph_.readers(layer.hidden);
    const bool matrices = std::all_of(readers.begin(), readers.end(), [&](std::size_t reader) {
      return as<Linear>(&network_.nodes[reader]) != nullptr;
    });
    if (readers.empty() || !matrices || layer.hidden == network_.output) return false;
    layer.matrices.insert(layer.matrices.end(), readers.begin(), readers.end());
    return true;
  }

  const Network& network_;
  onnx::GraphView graph_;
  std::map<ValueId, RoutedActivation> routed_;
};

}  // namespace

std::vector<GatedLayer> gated_layers(const Network& network) {
  const Finder finder(network);
  std::vector<GatedLayer> layers;
  for (const Node& node : network.nodes)
    if (std::optional<GatedLayer> layer = finder.find(node)) layers.push_back(std::move(*layer));
  return layers;
}

}  // namespace tellegen::models
