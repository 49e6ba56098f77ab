#include "tellegen/circuits/crossbar/noise.h"

#include <memory>

#include "tellegen/base/blas.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

double squared(double x) { return x * x; }

}  // namespace

Adjoint::Adjoint(const Wires& wires, std::span<const double> cell_S) : rows_(wires.rows), columns_(wires.columns) {
  CollapseMemory memory;
  const Collapse collapsed(std::make_shared<const CollapsePlan>(wires), cell_S, memory, {.node_voltages = true});
  const auto columns = static_cast<std::size_t>(columns_);
  const std::vector<double> row_V(static_cast<std::size_t>(rows_) * columns);
  std::vector<double> column_V(columns * columns);
  for (std::size_t j = 0; j < columns; ++j) column_V[j * (columns + 1)] = 1;
  const std::size_t cells = cell_S.size();
  drops_.resize(columns * cells);
  collapsed.node_voltages(row_V, column_V, columns_, [&](const LeafVoltages& leaf) {
    const auto width = static_cast<std::size_t>(leaf.cells.width());
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t from = 0; from < leaf.row_node_V.size(); ++from) {
        const std::size_t row = static_cast<std::size_t>(leaf.cells.first_row) + from / width;
        const std::size_t at = row * columns + static_cast<std::size_t>(leaf.cells.first_column) + from % width;
        drops_[j * cells + at] = leaf.column_node_V[from][j] - leaf.row_node_V[from][j];
      }
    }
  });
  finish(wires, cell_S);
}

/// What leaves a column through its cells has come in at its sense ends.
void Adjoint::finish(const Wires& wires, std::span<const double> cell_S) {
  const std::vector<double> branch_S = branch_conductances(wires, cell_S);
  const std::size_t cells = cell_S.size();
  output_S_.resize(static_cast<std::size_t>(columns_));
  for (std::size_t j = 0; j < output_S_.size(); ++j) {
    for (std::size_t at = j; at < cells; at += output_S_.size()) output_S_[j] += branch_S[at] * drops_[j * cells + at];
  }
  if (wires.access_ohm == 0) return;
  for (std::size_t k = 0; k < drops_.size(); ++k) {
    drops_[k] *= squared(1 / (1 + wires.access_ohm * cell_S[k % cells]));
  }
}

std::span<const double> Adjoint::drops(std::int64_t output) const {
  const auto cells = static_cast<std::size_t>(rows_ * columns_);
  return {drops_.data() + static_cast<std::size_t>(output) * cells, cells};
}

std::vector<double> Adjoint::sensitivities(std::span<const double> drop_V) const {
  const auto cells = static_cast<std::size_t>(rows_ * columns_);
  TELLEGEN_ASSERT(drop_V.size() == cells);
  std::vector<double> out(drops_);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] *= drop_V[k % cells];
  return out;
}

std::vector<double> Adjoint::variances(std::span<const double> drop_V, std::span<const double> variance_S2) const {
  const auto cells = static_cast<std::size_t>(rows_ * columns_);
  TELLEGEN_ASSERT(drop_V.size() == cells && variance_S2.size() == cells);
  std::vector<double> weight(cells);
  for (std::size_t k = 0; k < cells; ++k) weight[k] = squared(drop_V[k]) * variance_S2[k];
  std::vector<double> out;
  for (std::int64_t j = 0; j < columns_; ++j) {
    const std::span<const double> d = drops(j);
    double sum_A2 = 0;
    for (std::size_t k = 0; k < cells; ++k) sum_A2 += squared(d[k]) * weight[k];
    out.push_back(sum_A2);
  }
  return out;
}

std::vector<double> Adjoint::covariance(std::span<const double> drop_V, std::span<const double> variance_S2) const {
  const auto cells = static_cast<std::size_t>(rows_ * columns_);
  TELLEGEN_ASSERT(drop_V.size() == cells && variance_S2.size() == cells);
  std::vector<double> weighted(drops_);
  for (std::size_t k = 0; k < weighted.size(); ++k) {
    weighted[k] *= squared(drop_V[k % cells]) * variance_S2[k % cells];
  }
  std::vector<double> out(static_cast<std::size_t>(columns_ * columns_));
  const std::int64_t length = rows_ * columns_;
  multiply_transposed(columns_, columns_, length, drops_.data(), length, weighted.data(), length, 0, out.data(),
                      columns_);
  return out;
}

double thermal_noise_A2_per_Hz(double output_S, double temperature_K) {
  constexpr double boltzmann_J_per_K = 1.380649e-23;  // exact (SI 2019)
  return 4 * boltzmann_J_per_K * temperature_K * output_S;
}

}  // namespace tellegen::circuits
