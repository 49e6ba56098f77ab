#include "tellegen/mapping/written_products.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/models/operators/matrix_product.h"
#include "tellegen/models/operators/softmax.h"

namespace tellegen::mapping {
namespace {

using models::Network;
using models::Node;
using models::Shape;

bool multiplies_computed(const Node& node) {
  return dynamic_cast<const models::MatrixProduct*>(node.operation.get()) != nullptr;
}

const Shape& input_shape(const Network& network, const Node& node, std::size_t input) {
  return network.values.at(static_cast<std::size_t>(node.inputs.at(input))).shape;
}

/// The node that makes a value; nothing for the network's input.
std::optional<std::size_t> maker_of(const Network& network, models::ValueId value) {
  for (std::size_t n = 0; n < network.nodes.size(); ++n) {
    if (network.nodes[n].output == value) return n;
  }
  return std::nullopt;
}

/// What a walk towards the input, along first inputs of one shape, finds.
struct Behind {
  bool softmax = false;
  std::optional<std::size_t> product;
};
Behind behind(const Network& network, std::size_t node) {
  Behind found;
  const Shape shape = input_shape(network, network.nodes[node], 0);
  for (auto at = maker_of(network, network.nodes[node].inputs[0]); at;) {
    const Node& maker = network.nodes[*at];
    if (network.values[static_cast<std::size_t>(maker.output)].shape != shape) break;
    if (multiplies_computed(maker)) {
      found.product = at;
      break;
    }
    found.softmax = found.softmax || dynamic_cast<const models::Softmax*>(maker.operation.get()) != nullptr;
    const auto same = std::ranges::find_if(maker.inputs, [&](models::ValueId value) {
      return network.values[static_cast<std::size_t>(value)].shape == shape;
    });
    at = same == maker.inputs.end() ? std::nullopt : maker_of(network, *same);
  }
  return found;
}

void check_shapes(const Node& node, const Shape& first, const Shape& second) {
  const bool own = first.size() >= 3 && first.size() == second.size() && first[0] == -1 &&
                   std::equal(first.begin(), first.end() - 2, second.begin()) &&
                   std::all_of(first.begin() + 1, first.end(), [](std::int64_t d) { return d > 0; }) &&
                   std::all_of(second.begin() + 1, second.end(), [](std::int64_t d) { return d > 0; });
  if (own) return;
  throw InputError(fmt::format(
      "chip.attention.products = 'crossbar' cannot hold the product '{}' of shapes {} and {}: each sample and head "
      "must have matrices of its own, [N, heads, m, k] and [N, heads, k, n]. Set chip.attention.products: digital.",
      node.name, models::to_string(first), models::to_string(second)));
}

LayerPlan describe(const Network& network, std::size_t index) {
  const Node& node = network.nodes[index];
  const Shape &first = input_shape(network, node, 0), &second = input_shape(network, node, 1);
  check_shapes(node, first, second);
  LayerPlan layer;
  layer.node = index;
  layer.name = node.name;
  layer.token_rows = behind(network, index).softmax;
  layer.label = layer.token_rows ? "weights x values" : "queries x keys";
  layer.groups = models::element_count({first.begin() + 1, first.end() - 2});
  layer.positions = first[first.size() - 2];
  layer.rows_per_group = first.back();
  layer.outputs_per_group = second.back();
  return layer;
}

}  // namespace

std::optional<Refusal> plan_written(Plan& plan, const Network& network, const ChipConfig& chip) {
  if (chip.attention.products == MatrixProducts::digital) return std::nullopt;
  const TileConfig tile = attention_chip(chip).tile;
  const int least = columns_per_output(tile.encoding) + reference_columns(tile.encoding);
  if (tile.columns < least) {
    return Refusal{fmt::format("A tile of {} x {} has no room for a single output: it takes 1 row and {} columns.",
                               tile.rows, tile.columns, least),
                   "Set chip.attention.columns higher, or chip.tile.slices lower."};
  }
  for (std::size_t n = 0; n < network.nodes.size(); ++n) {
    if (!multiplies_computed(network.nodes[n])) continue;
    plan.written.push_back(describe(network, n));
    cut_groups(plan.written.back(), tile, plan.tiles);
  }
  if (plan.written.empty()) {
    throw InputError(fmt::format(
        "chip.attention.products = 'crossbar', but the network '{}' has no product of two computed matrices. Set "
        "chip.attention.products: digital.",
        network.name));
  }
  if (chip.tiles && plan.tiles > *chip.tiles) {
    return Refusal{fmt::format("chip.tiles = {} is not enough: with attention on crossbars the network needs {} tiles.",
                               *chip.tiles, plan.tiles),
                   fmt::format("Set chip.tiles to {} or more, leave it out to have as many as needed, or set "
                               "chip.attention.products: digital.",
                               plan.tiles)};
  }
  return std::nullopt;
}

std::optional<std::size_t> written_of(const Plan& plan, std::size_t node) {
  const auto found = std::ranges::find(plan.written, node, &LayerPlan::node);
  if (found == plan.written.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plan.written.begin());
}

std::optional<std::size_t> scores_behind(const Network& network, std::size_t values) {
  const Behind found = behind(network, values);
  return found.softmax ? found.product : std::nullopt;
}

std::int64_t cells_per_token(const LayerPlan& layer, const TileSlice& slice, const EncodingConfig& encoding) {
  return (layer.token_rows ? slice.outputs() : slice.rows()) * columns_per_output(encoding);
}

std::int64_t tokens_of(const LayerPlan& layer, const TileSlice& slice) {
  return layer.token_rows ? slice.rows() : slice.outputs();
}

}  // namespace tellegen::mapping
