#include "tellegen/sim/engine/row_drives.h"

namespace tellegen::sim {
namespace {

/// Part of a tile that the mismatch of its DACs belongs to.
constexpr std::uint32_t kDacPart = 0xDAC;

}  // namespace

std::optional<circuits::RowDacs> sample_dacs(const circuits::Dac& dac, const mapping::LayerPlan& plan,
                                             const mapping::TileSlice& slice, std::uint64_t seed, std::uint32_t chip) {
  if (!dac.config.mismatch.any() || plan.boundary == mapping::Boundary::analog) return std::nullopt;
  const Stream mismatch(seed, Purpose::mismatch, {chip, static_cast<std::uint32_t>(slice.tile), kDacPart});
  return circuits::RowDacs(dac, slice.rows(), mismatch);
}

template <class T>
void drive_rows(const circuits::RowDacs& dacs, const mapping::LayerPlan& plan, const mapping::TileSlice& slice,
                std::int64_t count, const T* drive, std::vector<T>& driven) {
  driven.resize(static_cast<std::size_t>(count * plan.rows()));
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t at = r * plan.rows() + slice.row_begin;
    dacs.drive(drive + at, driven.data() + at);
  }
}

template void drive_rows(const circuits::RowDacs&, const mapping::LayerPlan&, const mapping::TileSlice&, std::int64_t,
                         const float*, std::vector<float>&);
template void drive_rows(const circuits::RowDacs&, const mapping::LayerPlan&, const mapping::TileSlice&, std::int64_t,
                         const double*, std::vector<double>&);

}  // namespace tellegen::sim
