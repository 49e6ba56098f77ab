#include "tellegen/circuits/crossbar/noise.h"

#include <algorithm>

#include "tellegen/base/blas.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/line_solver.h"

namespace tellegen::circuits {
namespace {

constexpr double solver_tolerance = 1e-12;

double squared(double x) { return x * x; }

}  // namespace

Adjoint::Adjoint(const Wires& wires, std::span<const double> cell_S) : rows_(wires.rows), columns_(wires.columns) {
  LineSolver solver(wires, cell_S);
  const std::vector<double> branch_S = branch_conductances(wires, cell_S);
  const std::size_t cells = branch_S.size();
  std::vector<double> damping(cells, 1.0);
  for (std::size_t k = 0; k < cells; ++k) damping[k] = squared(1 / (1 + wires.access_ohm * cell_S[k]));
  drops_.reserve(static_cast<std::size_t>(columns_) * cells);
  for (std::int64_t j = 0; j < columns_; ++j) {
    const std::vector<double> drop_V = solver.adjoint_drop_V(j, solver_tolerance);
    double own_S = 0;
    for (std::int64_t k = 0; k < rows_; ++k) {
      const auto at = static_cast<std::size_t>(k * columns_ + j);
      own_S += branch_S[at] * drop_V[at];
    }
    // What leaves the column through its cells has come in at its sense ends.
    output_S_.push_back(own_S);
    for (std::size_t k = 0; k < cells; ++k) drops_.push_back(drop_V[k] * damping[k]);
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

FastVariance::FastVariance(const Wires& wires, std::span<const double> cell_S, const Adjoint& adjoint,
                           std::span<const double> variance_S2)
    : rows_(wires.rows), columns_(wires.columns) {
  const auto cells = static_cast<std::size_t>(rows_ * columns_);
  TELLEGEN_ASSERT(variance_S2.size() == cells && adjoint.rows() == rows_ && adjoint.columns() == columns_);
  const NodalSolution equal = LineSolver(wires, cell_S)
                                  .solve(std::vector<double>(static_cast<std::size_t>(rows_), 1.0), solver_tolerance)
                                  .nodes;
  const auto columns = static_cast<std::size_t>(columns_);
  std::vector<double> column_ohm(cells);
  for (std::size_t k = 0; k < cells; ++k) {
    const double output_A = equal.output_A[k % columns];
    column_ohm[k] = output_A != 0 ? equal.column_node_V[k] / output_A : 0;
  }
  square_.resize(cells);
  cross_.resize(cells);
  proportional_.resize(cells);
  constant_.resize(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const std::span<const double> d = adjoint.drops(static_cast<std::int64_t>(j));
    for (std::size_t k = 0; k < cells; ++k) {
      const double weight = squared(d[k]) * variance_S2[k];
      const double row = equal.row_node_V[k];
      const std::size_t to = k / columns * columns + j;
      square_[to] += weight * squared(row);
      cross_[to] += weight * row * column_ohm[k];
      proportional_[to] += weight * squared(row - equal.column_node_V[k]);
      constant_[j] += weight * squared(column_ohm[k]);
    }
  }
}

std::vector<double> FastVariance::variances(std::span<const double> input_V, std::span<const double> output_A) const {
  const std::int64_t batch = static_cast<std::int64_t>(input_V.size()) / rows_;
  TELLEGEN_ASSERT(static_cast<std::int64_t>(input_V.size()) == batch * rows_);
  TELLEGEN_ASSERT(static_cast<std::int64_t>(output_A.size()) == batch * columns_);
  std::vector<double> squares_V2(input_V.begin(), input_V.end());
  for (double& value : squares_V2) value = squared(value);
  std::vector<double> out(output_A.size());
  std::vector<double> cross(output_A.size());
  multiply(batch, columns_, rows_, squares_V2.data(), rows_, square_.data(), columns_, 0, out.data(), columns_);
  multiply(batch, columns_, rows_, input_V.data(), rows_, cross_.data(), columns_, 0, cross.data(), columns_);
  const auto columns = static_cast<std::size_t>(columns_);
  for (std::size_t k = 0; k < out.size(); ++k) {
    // A sum of squares that is taken apart: rounding must not make it negative.
    out[k] = std::max(0.0, out[k] + output_A[k] * (output_A[k] * constant_[k % columns] - 2 * cross[k]));
  }
  return out;
}

}  // namespace tellegen::circuits
