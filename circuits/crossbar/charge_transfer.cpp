#include "tellegen/circuits/crossbar/charge_transfer.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/anchoring.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void check(const ChargeAmplifier& amplifier) {
  if (!(amplifier.feedback_F > 0) || std::isinf(amplifier.feedback_F)) {
    throw InputError(
        fmt::format("The feedback of the charge amplifier is '{} F'; a finite capacitance above 0 F is "
                    "needed.",
                    amplifier.feedback_F));
  }
  if (!(amplifier.gain > 0)) {
    throw InputError(
        fmt::format("The gain of the charge amplifier is '{}'; a gain above 0 is needed.", amplifier.gain));
  }
}

/// K, with `extra_F` to ground at every column.
RowMajor column_matrix(const ChargeArray& array, std::span<const RowState> row_state, double extra_F) {
  RowMajor out = RowMajor::Zero(array.columns, array.columns);
  const std::vector<double> totals_F = column_totals_F(array);
  for (Index j = 0; j < array.columns; ++j) {
    out(j, j) += totals_F[static_cast<std::size_t>(j)] + extra_F;
    if (j == 0) continue;
    out(j, j) += array.neighbour_F;
    out(j - 1, j - 1) += array.neighbour_F;
    out(j, j - 1) -= array.neighbour_F;
    out(j - 1, j) -= array.neighbour_F;
  }
  for (std::size_t i = 0; i < row_state.size(); ++i) {
    if (row_state[i] != RowState::floating) continue;
    const auto row = static_cast<Index>(i);
    const Eigen::Map<const Eigen::VectorXd> cells_F(array.cell_F.data() + row * array.columns, array.columns);
    const double row_total_F = array.row_to_ground(row) + cells_F.sum();
    if (row_total_F > 0) out.noalias() -= cells_F * cells_F.transpose() / row_total_F;
  }
  return out;
}

/// Capacitance of each column to ground and to rows that are held, or that ground holds in their turn.
Eigen::VectorXd to_held(const ChargeArray& array, std::span<const RowState> row_state) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(array.columns);
  for (Index j = 0; j < array.columns; ++j) {
    out[j] = array.column_to_ground(j);
    for (Index i = 0; i < array.rows; ++i) {
      const bool floating = !row_state.empty() && row_state[static_cast<std::size_t>(i)] == RowState::floating;
      if (!floating || array.row_to_ground(i) > 0) out[j] += array.cell(i, j);
    }
  }
  return out;
}

/// K^-1.
RowMajor inverse_of_columns(const ChargeArray& array, std::span<const RowState> row_state) {
  const RowMajor matrix_F = column_matrix(array, row_state, 0);
  if (const auto open = first_unanchored(matrix_F, to_held(array, row_state))) {
    throw InputError(
        fmt::format("Column {} floats and has no capacitance to ground or to anything that is held; give "
                    "it one.",
                    *open));
  }
  return matrix_F.llt().solve(RowMajor::Identity(array.columns, array.columns));
}

/// Output voltages per charge at the columns.
RowMajor amplified(const ChargeArray& array, std::span<const RowState> row_state, const ChargeAmplifier& amplifier) {
  const RowMajor identity = RowMajor::Identity(array.columns, array.columns);
  if (std::isinf(amplifier.gain)) return -identity / amplifier.feedback_F;
  // The feedback, seen from the column, is a capacitance to ground that is 1 + gain times as large.
  const double miller_F = amplifier.feedback_F * (1 + amplifier.gain);
  return -amplifier.gain * column_matrix(array, row_state, miller_F).llt().solve(identity);
}

RowMajor driven_cells(const ChargeArray& array, std::span<const RowState> row_state) {
  RowMajor out = Eigen::Map<const RowMajor>(array.cell_F.data(), array.rows, array.columns);
  for (std::size_t i = 0; i < row_state.size(); ++i) {
    if (row_state[i] != RowState::driven) out.row(static_cast<Index>(i)).setZero();
  }
  return out;
}

std::vector<double> numbers(const RowMajor& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

}  // namespace

ChargeTransfer::ChargeTransfer(const ChargeArray& array, std::span<const RowState> row_state,
                               const std::optional<ChargeAmplifier>& amplifier)
    : columns_(array.columns), feedback_F_(amplifier ? amplifier->feedback_F : 0) {
  check(array);
  check_row_states(array, row_state);
  if (amplifier) check(*amplifier);
  const RowMajor per_charge =
      amplifier ? amplified(array, row_state, *amplifier) : inverse_of_columns(array, row_state);
  transfer_ = numbers(per_charge * driven_cells(array, row_state).transpose());
  per_charge_ = numbers(per_charge);
}

std::vector<double> ChargeTransfer::offsets_V(std::span<const double> column_C) const {
  if (static_cast<std::int64_t>(column_C.size()) != columns_) {
    throw InputError(fmt::format("Charges are given for '{}' columns; this array has {}.", column_C.size(), columns_));
  }
  std::vector<double> out(column_C.size());
  Eigen::Map<Eigen::VectorXd>(out.data(), columns_) =
      Eigen::Map<const RowMajor>(per_charge_.data(), columns_, columns_) *
      Eigen::Map<const Eigen::VectorXd>(column_C.data(), columns_);
  return out;
}

std::vector<double> ChargeTransfer::reset_covariance_V2(double temperature_K) const {
  const double thermal_J = devices::boltzmann_J_per_K * temperature_K;
  const Eigen::Map<const RowMajor> per_charge(per_charge_.data(), columns_, columns_);
  if (feedback_F_ == 0) return numbers(thermal_J * per_charge);
  return numbers(thermal_J * feedback_F_ * (per_charge * per_charge.transpose()));
}

std::vector<double> ChargeTransfer::reset_noise_V(double temperature_K) const {
  const std::vector<double> covariance_V2 = reset_covariance_V2(temperature_K);
  std::vector<double> out;
  for (std::int64_t j = 0; j < columns_; ++j) {
    out.push_back(std::sqrt(covariance_V2[static_cast<std::size_t>(j * columns_ + j)]));
  }
  return out;
}

}  // namespace tellegen::circuits
