#include "tellegen/circuits/crossbar/charge_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/devices/fecap/charge_read.h"

namespace tellegen::circuits {
namespace {

void check_capacitance(double value_F, const std::string& where) {
  if (!(value_F >= 0) || std::isinf(value_F)) {
    throw InputError(
        fmt::format("The capacitance of {} is '{} F'; a finite capacitance of 0 F or more is needed.", where, value_F));
  }
}

void check_line(const std::vector<double>& to_ground_F, std::int64_t lines, const char* name) {
  if (to_ground_F.empty()) return;
  if (static_cast<std::int64_t>(to_ground_F.size()) != lines) {
    throw InputError(
        fmt::format("Capacitances to ground are given for '{}' {}s; one for each of the {} {}s is needed, "
                    "or none.",
                    to_ground_F.size(), name, lines, name));
  }
  for (std::size_t k = 0; k < to_ground_F.size(); ++k) check_capacitance(to_ground_F[k], fmt::format("{} {}", name, k));
}

}  // namespace

void check(const ChargeArray& array) {
  if (array.rows < 1 || array.columns < 1) {
    throw InputError(
        fmt::format("The array is '{} x {}'; at least one row and one column are needed.", array.rows, array.columns));
  }
  if (static_cast<std::int64_t>(array.cell_F.size()) != array.rows * array.columns) {
    throw InputError(fmt::format("'{}' cell capacitances are given; {} are needed for {} rows and {} columns.",
                                 array.cell_F.size(), array.rows * array.columns, array.rows, array.columns));
  }
  for (std::int64_t i = 0; i < array.rows; ++i) {
    for (std::int64_t j = 0; j < array.columns; ++j) {
      check_capacitance(array.cell(i, j), fmt::format("the cell in row {}, column {}", i, j));
    }
  }
  check_line(array.row_F, array.rows, "row");
  check_line(array.column_F, array.columns, "column");
  check_capacitance(array.neighbour_F, "two neighbouring columns");
}

void check_row_states(const ChargeArray& array, std::span<const RowState> row_state) {
  if (!row_state.empty() && static_cast<std::int64_t>(row_state.size()) != array.rows) {
    throw InputError(fmt::format("States are given for '{}' rows; one for each of the {} rows is needed, or none.",
                                 row_state.size(), array.rows));
  }
}

std::vector<double> column_totals_F(const ChargeArray& array) {
  std::vector<double> out;
  for (std::int64_t j = 0; j < array.columns; ++j) {
    double total_F = array.column_to_ground(j);
    for (std::int64_t i = 0; i < array.rows; ++i) total_F += array.cell(i, j);
    out.push_back(total_F);
  }
  return out;
}

double injected_charge_C(const ResetSwitch& reset, double node_V) {
  const double overdrive_V = std::max(reset.gate_V - reset.threshold_V - node_V, 0.0);
  constexpr double one_F = 1;  // volts on one farad are coulombs
  return one_F * devices::charge_injection_V(reset.width_m, reset.length_m, reset.oxide_F_per_m2, overdrive_V, one_F);
}

}  // namespace tellegen::circuits
