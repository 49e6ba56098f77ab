#include "tellegen/sim/engine/drive_power.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/blas.h"

namespace tellegen::sim {
namespace {

/// Power of one kind of sum: over rows and all their pairs, and over rows alone.
struct SampledPower {
  double exact_W = 0, by_rows_W = 0;
};

/// Drives of every `stride`-th read, [reads][rows of the tile].
template <class T, class Drive>
std::vector<double> sampled_drives(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, std::int64_t count,
                                   std::int64_t stride, const Drive* drive) {
  std::vector<double> sampled;
  sampled.reserve(static_cast<std::size_t>((count / stride + 1) * tile.array.rows));
  for (std::int64_t r = 0; r < count; r += stride) {
    const Drive* u = drive + r * plan.rows() + tile.slice.row_begin;
    sampled.insert(sampled.end(), u, u + tile.array.rows);
  }
  return sampled;
}

/// Rows driven by height: two of them are driven together for the product of their heights.
template <class T>
SampledPower by_height(const ProgrammedTile<T>& tile, const std::vector<double>& drives) {
  const std::int64_t rows = tile.array.rows, reads = static_cast<std::int64_t>(drives.size()) / rows;
  std::vector<double> currents(drives.size());
  multiply(reads, rows, rows, drives.data(), rows, tile.admittance_S.data(), rows, 0, currents.data(), rows);
  SampledPower power;
  for (std::size_t k = 0; k < drives.size(); ++k) {
    power.exact_W += drives[k] * currents[k];
    power.by_rows_W += drives[k] * drives[k] * tile.array.row_power_W[k % static_cast<std::size_t>(rows)];
  }
  return power;
}

/// Rows driven by width: two of them are driven together for as long as their pulses overlap.
template <class T>
SampledPower by_width(const ProgrammedTile<T>& tile, const std::vector<double>& drives) {
  const std::size_t rows = static_cast<std::size_t>(tile.array.rows);
  SampledPower power;
  for (const double* u = drives.data(); u != drives.data() + drives.size(); u += rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (u[i] == 0) continue;
      const double* y_S = tile.admittance_S.data() + i * rows;
      for (std::size_t l = 0; l < rows; ++l) {
        const double overlap = std::min(std::abs(u[i]), std::abs(u[l]));
        power.exact_W += y_S[l] * ((u[i] < 0) == (u[l] < 0) ? overlap : -overlap);
      }
      power.by_rows_W += std::abs(u[i]) * tile.array.row_power_W[i];
    }
  }
  return power;
}

}  // namespace

template <class T, class Drive>
double wire_factor(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const DriveForm& form,
                   std::int64_t count, std::int64_t stride, const Drive* drive) {
  if (tile.admittance_S.empty()) return 1;
  const std::vector<double> drives = sampled_drives(tile, plan, count, stride, drive);
  const SampledPower power = form.by_width ? by_width(tile, drives) : by_height(tile, drives);
  return power.by_rows_W > 0 ? form.v_read_V * form.v_read_V * power.exact_W / power.by_rows_W : 1;
}

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
  return wire_factor(tile, plan, form, count, kPowerStride, drive) * power_W;
}

template <class T, class Sum>
double line_drive_V2(const ProgrammedTile<T>& tile, double v_read_V, const DriveSums<Sum>& sums) {
  double line = 0;
  for (std::int64_t i = 0; i < tile.array.rows; ++i)
    line += static_cast<double>(sums.line[static_cast<std::size_t>(tile.slice.row_begin + i)]);
  return line * v_read_V * v_read_V;
}

#define TELLEGEN_INSTANTIATE(T)                                                                           \
  template void sum_drives<T>(const T*, std::int64_t, std::int64_t, bool, DriveSums<T>&);                 \
  template double ohmic_power_W<T>(const ProgrammedTile<T>&, const mapping::LayerPlan&, const DriveForm&, \
                                   std::int64_t, const T*, const DriveSums<T>&);                          \
  template double line_drive_V2<T, T>(const ProgrammedTile<T>&, double, const DriveSums<T>&);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
template double line_drive_V2<float, double>(const ProgrammedTile<float>&, double, const DriveSums<double>&);
template double wire_factor<float, double>(const ProgrammedTile<float>&, const mapping::LayerPlan&, const DriveForm&,
                                           std::int64_t, std::int64_t, const double*);
template double wire_factor<double, double>(const ProgrammedTile<double>&, const mapping::LayerPlan&, const DriveForm&,
                                            std::int64_t, std::int64_t, const double*);
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
