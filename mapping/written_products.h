#pragma once
// Products of two computed matrices on crossbars: which of a network's there are, and on which tiles they lie.
//
// The second factor is written, the first drives the rows: keys as they stand in queries x keys (a token is a column),
// values in weights x values (a token is a row). Each head has tiles of its own, so that rows of other heads are silent.

#include <cstdint>
#include <optional>

#include "tellegen/mapping/plan.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// Adds the network's products of two computed matrices to `plan` (Plan::written, with tiles behind those it has) where
/// chip.attention.products is crossbar; else nothing. Returns a Refusal where chip.tiles is not enough. Throws InputError
/// where there is no such product, or where one mixes samples or shares a matrix between heads.
std::optional<Refusal> plan_written(Plan& plan, const models::Network& network, const ChipConfig& chip);

/// Number in Plan::written of the product of a node; nothing where it has none.
std::optional<std::size_t> written_of(const Plan& plan, std::size_t node);

/// The product whose outputs become the weights that node `values` multiplies values with (queries x keys behind a
/// softmax); nothing where there is none.
std::optional<std::size_t> scores_behind(const models::Network& network, std::size_t values);

/// Cells that one token takes in one tile's slice, all columns of its weights together.
std::int64_t cells_per_token(const LayerPlan& layer, const TileSlice& slice, const EncodingConfig& encoding);
/// Tokens of a slice.
std::int64_t tokens_of(const LayerPlan& layer, const TileSlice& slice);

/// Appends slices to a layer, each group on tiles of its own, numbered from `next_tile` on.
void cut_groups(LayerPlan& layer, const TileConfig& tile, int& next_tile);

}  // namespace tellegen::mapping
