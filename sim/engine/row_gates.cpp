#include "tellegen/sim/engine/row_gates.h"

#include <algorithm>

namespace tellegen::sim {
namespace {

/// Part of a tile that the mismatch of its gates belongs to; converters have small numbers.
constexpr std::uint32_t kGatePart = 1000;

bool is_bias_row(const mapping::LayerPlan& plan, std::int64_t row) {
  return plan.bias_rows > 0 && row % plan.block_rows() == plan.rows_per_group;
}

}  // namespace

circuits::UnitErrors sample_gates(const LayerGate& gate, const mapping::TileSlice& slice, const GateAddress& address) {
  const Stream mismatch(address.seed, Purpose::mismatch, {address.chip, address.tile, kGatePart});
  return gate.circuit->sample(mismatch, 0, slice.rows());
}

std::int64_t gated_rows(const mapping::LayerPlan& plan, const mapping::TileSlice& slice) {
  std::int64_t rows = 0;
  for (std::int64_t row = slice.row_begin; row < slice.row_end; ++row) rows += is_bias_row(plan, row) ? 0 : 1;
  return rows;
}

void gate_exactly(const LayerGate& gate, const mapping::LayerPlan& plan, std::vector<float>& values) {
  const models::Tensor x{{static_cast<std::int64_t>(values.size())}, std::move(values)};
  const models::Tensor* inputs[] = {&x};
  values = gate.activation->run(inputs).data;
  for (std::size_t i = 0; plan.bias_rows > 0 && i < values.size(); ++i) {
    if (is_bias_row(plan, static_cast<std::int64_t>(i) % plan.rows())) values[i] = static_cast<float>(gate.full_scale);
  }
}

void gate_as_designed(const LayerGate& gate, double x_per_drive, std::span<float> drives) {
  for (float& u : drives) u = static_cast<float>(x_per_drive * static_cast<double>(u));
  gate.circuit->evaluate(drives, {}, nullptr, 0, drives);
  const float drive_per_y = static_cast<float>(1 / gate.full_scale);
  for (float& u : drives) u = std::clamp(u * drive_per_y, -1.0F, 1.0F);
}

template <class T>
void gate_rows(const LayerGate& gate, const circuits::UnitErrors& errors, const mapping::LayerPlan& plan,
               const mapping::TileSlice& slice, const GateAddress& address, double x_per_drive,
               std::uint64_t first_read, std::int64_t count, const T* drive, std::vector<float>& values,
               std::vector<T>& gated) {
  const std::int64_t rows = slice.rows();
  values.resize(static_cast<std::size_t>(count * rows));
  gated.resize(static_cast<std::size_t>(count * plan.rows()));
  for (std::int64_t r = 0; r < count; ++r) {
    const T* from = drive + r * plan.rows() + slice.row_begin;
    float* x = values.data() + r * rows;
    for (std::int64_t i = 0; i < rows; ++i) x[i] = static_cast<float>(x_per_drive * static_cast<double>(from[i]));
  }
  const Stream noise(address.seed, Purpose::front_end_noise, {address.chip, address.tile, 0});
  gate.circuit->evaluate(values, errors, &noise, first_read * static_cast<std::uint64_t>(rows), values);
  const float drive_per_y = static_cast<float>(1 / gate.full_scale);
  for (std::int64_t r = 0; r < count; ++r) {
    const T* from = drive + r * plan.rows() + slice.row_begin;
    const float* y = values.data() + r * rows;
    T* to = gated.data() + r * plan.rows() + slice.row_begin;
    for (std::int64_t i = 0; i < rows; ++i) to[i] = static_cast<T>(std::clamp(y[i] * drive_per_y, -1.0F, 1.0F));
    for (std::int64_t i = 0; plan.bias_rows > 0 && i < rows; ++i) {
      if (is_bias_row(plan, slice.row_begin + i)) to[i] = from[i];
    }
  }
}

#define TELLEGEN_INSTANTIATE(T)                                                                                  \
  template void gate_rows<T>(const LayerGate&, const circuits::UnitErrors&, const mapping::LayerPlan&,           \
                             const mapping::TileSlice&, const GateAddress&, double, std::uint64_t, std::int64_t, \
                             const T*, std::vector<float>&, std::vector<T>&);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
