#include "tellegen/mapping/plan.h"

#include <algorithm>

namespace tellegen::mapping {
namespace {

using Index = std::int64_t;

/// Calls visit(rows_from, rows_to, outputs_from, outputs_to) for each diagonal block of the slice, counted within the
/// layer, ends excluded.
template <class Visit>
void for_each_block(const LayerPlan& layer, const TileSlice& slice, Visit visit) {
  for (Index group = 0; group < layer.groups; ++group) {
    const Index rows_from = std::max(slice.row_begin, group * layer.block_rows());
    const Index rows_to = std::min(slice.row_end, (group + 1) * layer.block_rows());
    const Index outputs_from = std::max(slice.output_begin, group * layer.outputs_per_group);
    const Index outputs_to = std::min(slice.output_end, (group + 1) * layer.outputs_per_group);
    if (outputs_from < outputs_to && rows_from < rows_to) visit(rows_from, rows_to, outputs_from, outputs_to);
  }
}

}  // namespace

std::optional<std::size_t> layer_of(const Plan& plan, std::size_t node, std::optional<std::size_t> matrix) {
  const auto found = std::find_if(plan.layers.begin(), plan.layers.end(),
                                  [&](const LayerPlan& layer) { return layer.node == node && layer.matrix == matrix; });
  if (found == plan.layers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - plan.layers.begin());
}

std::int64_t multiply_accumulates(const Plan& plan) {
  Index total = 0;
  for (const LayerPlan& layer : plan.layers) total += layer.positions * layer.outputs() * layer.rows_per_group;
  return total;
}

std::int64_t weights_on(const LayerPlan& layer, const TileSlice& slice) {
  Index count = 0;
  for_each_block(layer, slice, [&](Index rows_from, Index rows_to, Index outputs_from, Index outputs_to) {
    count += (rows_to - rows_from) * (outputs_to - outputs_from);
  });
  return count;
}

double utilisation(const LayerPlan& layer, const ChipConfig& chip) {
  if (layer.slices.empty()) return 0;
  Index weights = 0;
  for (const TileSlice& slice : layer.slices) weights += weights_on(layer, slice);
  const double cells = static_cast<double>(layer.slices.size()) * chip.tile.rows * chip.tile.columns;
  return static_cast<double>(weights) * columns_per_output(chip.tile.encoding) / cells;
}

std::vector<float> slice_weights(const LayerPlan& layer, const TileSlice& slice, std::span<const float> weights) {
  const Index length = layer.block_rows();  // of one output's own weights
  TELLEGEN_ASSERT(weights.size() == static_cast<std::size_t>(layer.outputs() * length));
  std::vector<float> block(static_cast<std::size_t>(slice.outputs() * slice.rows()), 0.0F);
  for_each_block(layer, slice, [&](Index rows_from, Index rows_to, Index outputs_from, Index outputs_to) {
    for (Index n = outputs_from; n < outputs_to; ++n) {
      const float* const source = weights.data() + n * length + rows_from % length;
      float* const target = block.data() + (n - slice.output_begin) * slice.rows() + (rows_from - slice.row_begin);
      std::copy(source, source + (rows_to - rows_from), target);
    }
  });
  return block;
}

}  // namespace tellegen::mapping
