#include "tellegen/mapping/complete_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/models/convert/fused_activations.h"

namespace tellegen::mapping {
namespace {

bool split_by_rows(const LayerPlan& layer) {
  const std::int64_t block = layer.block_rows();
  return std::any_of(layer.slices.begin(), layer.slices.end(), [&](const TileSlice& slice) {
    return slice.row_begin % block != 0 || slice.row_end % block != 0;
  });
}

}  // namespace

std::string what_sums_lack(const models::Network& network, const LayerPlan& layer, const ChipConfig& chip) {
  const models::Node& node = network.nodes[layer.node];
  const auto& operation = dynamic_cast<const models::MatrixOperation&>(*node.operation);
  const EncodingConfig& encoding = chip.tile.encoding;
  if (models::readers(network, node.output) > 1)
    return fmt::format("the sums of '{}' are read elsewhere as well", layer.name);
  if (split_by_rows(layer)) return fmt::format("the sums of '{}' are added up from several tiles", layer.name);
  if (encoding.slices > 1) return "slices of a weight are added up digitally";
  if (encoding.encoding != Encoding::differential || encoding.subtract != Subtraction::analog)
    return "the constant part of the weights is taken off digitally";
  if (operation.has_bias() && layer.bias_rows == 0)
    return fmt::format("the bias of '{}' is added digitally; put it on a row with chip.tile.bias: rows", layer.name);
  return "";
}

}  // namespace tellegen::mapping
