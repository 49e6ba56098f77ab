#pragma once
// What the DACs of a tile's rows make of drives, where no two rows are alike (chip.dac.mismatch).

#include <cstdint>
#include <optional>
#include <vector>

#include "tellegen/circuits/converter/row_dacs.h"
#include "tellegen/mapping/plan.h"

namespace tellegen::sim {

/// The DACs of one tile as manufactured on this chip; nothing where all are alike, or where rows have none.
std::optional<circuits::RowDacs> sample_dacs(const circuits::Dac& dac, const mapping::LayerPlan& plan,
                                             const mapping::TileSlice& slice, std::uint64_t seed, std::uint32_t chip);

/// Drives that the rows of one tile get: of `count` reads from `drive` [count][layer rows] to `driven`, same shape, where only
/// the columns of the tile are written.
template <class T>
void drive_rows(const circuits::RowDacs& dacs, const mapping::LayerPlan& plan, const mapping::TileSlice& slice,
                std::int64_t count, const T* drive, std::vector<T>& driven);

}  // namespace tellegen::sim
