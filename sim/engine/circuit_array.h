#pragma once
// Cells to lines with the wires between them: a linear array collapses to I = T V exactly, so the matrix that
// multiplies is T.

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tellegen/circuits/crossbar/array.h"
#include "tellegen/circuits/crossbar/transfer.h"
#include "tellegen/circuits/crossbar/wire_settings.h"
#include "tellegen/mapping/encoding.h"
#include "tellegen/sim/engine/program.h"

namespace tellegen::sim {

/// Collapses the arrays of one thread; what depends on shape alone is kept.
class CircuitArrays {
 public:
  explicit CircuitArrays(const circuits::WireSettings& wires) : settings_(wires) {}

  /// Every cell's read noise through the wires, for exact draws: O(rows + lines) numbers per cell. Throws RefusedError for tiles of more than
  /// 64 x 64 cells.
  CellNoise cell_noise(const mapping::Layout& layout, std::int64_t rows, std::span<const float> mean_S,
                       std::span<const float> variance_S2, double v_read_V);

  /// Lines of `layout` from cells mean_S [rows][physical_columns], read noise by fast_variance.h (independent between
  /// lines). `admittance_S` gets Y [rows][rows]: the power of drives u is v_read^2 u' Y u.
  template <class T>
  circuits::Array<T> make(const mapping::Layout& layout, std::int64_t rows, std::span<const float> mean_S,
                          std::span<const float> variance_S2, double v_read_V, std::vector<double>& admittance_S);

 private:
  std::shared_ptr<const circuits::CollapsePlan> plan(std::int64_t rows, std::int64_t columns);

  circuits::WireSettings settings_;
  circuits::CollapseMemory memory_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::shared_ptr<const circuits::CollapsePlan>> plans_;
};

}  // namespace tellegen::sim
