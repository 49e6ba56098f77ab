#include "tellegen/sim/engine/drive_power.h"

#include <algorithm>
#include <cmath>

namespace tellegen::sim {
namespace {

/// Share of a full drive that two rows are driven together for: product of heights, or overlap of widths.
template <class T>
double together(T a, T b, bool by_width) {
  if (!by_width) return static_cast<double>(a) * static_cast<double>(b);
  const double overlap = static_cast<double>(std::min(std::abs(a), std::abs(b)));
  return (a < T(0)) == (b < T(0)) ? overlap : -overlap;
}

/// Power with wires over the sum over rows.
template <class T>
double wire_factor(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const DriveForm& form,
                   std::int64_t count, const T* drive) {
  if (tile.admittance_S.empty()) return 1;
  const std::int64_t rows = tile.array.rows;
  double exact_W = 0, by_rows_W = 0;
  for (std::int64_t r = 0; r < count; r += kPowerStride) {
    const T* u = drive + r * plan.rows() + tile.slice.row_begin;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (u[i] == T(0)) continue;
      const double* y_S = tile.admittance_S.data() + i * rows;
      double sum_S = 0;
      for (std::int64_t l = 0; l < rows; ++l) sum_S += y_S[l] * together(u[i], u[l], form.by_width);
      exact_W += form.v_read_V * form.v_read_V * sum_S;
      by_rows_W += together(u[i], u[i], form.by_width) * tile.array.row_power_W[static_cast<std::size_t>(i)];
    }
  }
  return by_rows_W > 0 ? exact_W / by_rows_W : 1;
}

}  // namespace

template <class T>
void sum_drives(const T* drive, std::int64_t rows, std::int64_t count, bool by_width, DriveSums<T>& sums) {
  sums.cell.assign(static_cast<std::size_t>(rows), T(0));
  sums.line.assign(static_cast<std::size_t>(rows), T(0));
  for (std::int64_t r = 0; r < count; ++r) {
    const T* u = drive + r * rows;
    T* cell = sums.cell.data();
    if (!by_width) {
      for (std::int64_t i = 0; i < rows; ++i) cell[i] += u[i] * u[i];
      continue;
    }
    T* line = sums.line.data();
    for (std::int64_t i = 0; i < rows; ++i) {
      cell[i] += std::abs(u[i]);
      line[i] += u[i] == T(0) ? T(0) : T(1);
    }
  }
  if (!by_width) sums.line = sums.cell;
}

template <class T>
double ohmic_power_W(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const DriveForm& form,
                     std::int64_t count, const T* drive, const DriveSums<T>& sums) {
  double power_W = 0;
  for (std::int64_t i = 0; i < tile.array.rows; ++i) {
    power_W += static_cast<double>(sums.cell[static_cast<std::size_t>(tile.slice.row_begin + i)]) *
               tile.array.row_power_W[static_cast<std::size_t>(i)];
  }
  return wire_factor(tile, plan, form, count, drive) * power_W;
}

template <class T>
double line_drive_V2(const ProgrammedTile<T>& tile, double v_read_V, const DriveSums<T>& sums) {
  double line = 0;
  for (std::int64_t i = 0; i < tile.array.rows; ++i)
    line += static_cast<double>(sums.line[static_cast<std::size_t>(tile.slice.row_begin + i)]);
  return line * v_read_V * v_read_V;
}

#define TELLEGEN_INSTANTIATE(T)                                                                           \
  template void sum_drives<T>(const T*, std::int64_t, std::int64_t, bool, DriveSums<T>&);                 \
  template double ohmic_power_W<T>(const ProgrammedTile<T>&, const mapping::LayerPlan&, const DriveForm&, \
                                   std::int64_t, const T*, const DriveSums<T>&);                          \
  template double line_drive_V2<T>(const ProgrammedTile<T>&, double, const DriveSums<T>&);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
