#pragma once
// Cells to lines without wires: what the converters see of an array whose columns are held at 0 V.

#include <cstdint>
#include <span>

#include "tellegen/circuits/crossbar/array.h"
#include "tellegen/mapping/encoding.h"

namespace tellegen::sim {

/// Lines of `layout` from cells mean_S and, where there is read noise, variance_S2, both [rows][physical_columns].
template <class T>
circuits::Array<T> line_matrix(const mapping::Layout& layout, std::int64_t rows, std::span<const float> mean_S,
                               std::span<const float> variance_S2, double v_read_V);

}  // namespace tellegen::sim
