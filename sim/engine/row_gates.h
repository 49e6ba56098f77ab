#pragma once
// Threshold gates between the DACs and the rows of a tile.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/models/operation.h"

namespace tellegen::sim {

/// Of one layer; no circuit where its boundary is digital.
struct LayerGate {
  std::shared_ptr<const circuits::FrontEnd> circuit;    ///< one design for all rows
  std::shared_ptr<const models::Operation> activation;  ///< what it stands for
  double x_scale = 1;                                   ///< the circuit works on x_scale times x
  double full_scale = 1;                                ///< output of a gate that drives its row fully
  bool is_signed = false;                               ///< any negative output
  explicit operator bool() const { return circuit != nullptr; }
};

/// Whose mismatch and noise.
struct GateAddress {
  std::uint64_t seed = 0;
  std::uint32_t chip = 0, tile = 0;
};

/// Errors of the gates of all rows of one tile, as manufactured on this chip.
circuits::UnitErrors sample_gates(const LayerGate& gate, const mapping::TileSlice& slice, const GateAddress& address);

/// Rows of a tile that have a gate: all but those of a bias.
std::int64_t gated_rows(const mapping::LayerPlan& plan, const mapping::TileSlice& slice);

/// What the gates stand for, on values [count][layer rows] in front of them; bias rows take full_scale. In place.
void gate_exactly(const LayerGate& gate, const mapping::LayerPlan& plan, std::vector<float>& values);

/// Drives behind gates as designed, without mismatch and noise, of drives in front of them; in place. No bias rows.
void gate_as_designed(const LayerGate& gate, double x_per_drive, std::span<float> drives);

/// Drives behind the gates of one tile's rows: of `count` reads from `drive` [count][layer rows] to `gated`, same shape,
/// where only the columns of the tile are written. `x_per_drive` is the value of a full drive in front of the gates.
/// Bias rows have no gate. A row driver gives no more than a full drive: [-1, 1]. `values` is scratch.
template <class T>
void gate_rows(const LayerGate& gate, const circuits::UnitErrors& errors, const mapping::LayerPlan& plan,
               const mapping::TileSlice& slice, const GateAddress& address, double x_per_drive,
               std::uint64_t first_read, std::int64_t count, const T* drive, std::vector<float>& values,
               std::vector<T>& gated);

}  // namespace tellegen::sim
