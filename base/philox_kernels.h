#pragma once
// The inner loops of Stream: whole blocks of 64 elements (16 Philox counters), once per vector unit.

#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::philox_kernels {

inline constexpr std::int64_t block_elements = 64;

/// Fills `blocks` blocks of 64 elements from block `first_block` on.
void words(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks,
           std::uint32_t* out);
/// The same as uniforms in (0, 1): the upper 23 bits of each word, in the middle of their cell.
void uniforms(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks, float* out);
/// The same as standard normals (Box-Muller). At most 1e-6 away from the exact transform of the same words.
void normals(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks, float* out);

}  // namespace tellegen::philox_kernels
