// Ferroelectric capacitors as cells: from programmed polarization to column voltages.

#include <gtest/gtest.h>

#include "charge_arrays.h"
#include "tellegen/circuits/crossbar/charge_transfer.h"
#include "tellegen/devices/fecap/charge_read.h"
#include "tellegen/devices/fecap/fecap_array.h"

namespace tellegen::circuits {
namespace {

using testing_support::product;
using testing_support::Uniform;

/// Complementary cells, C and C_up + C_down - C on rows driven by V and -V: all columns have the same denominator, and
/// their voltages are proportional to the products with the stored differences.
TEST(FecapTile, ComplementaryCellsHaveEqualDenominators) {
  devices::FecapConfig config;
  config.programming_error = 0;
  config.capacitance_spread = 0;
  const devices::FecapArray device(config);
  const double sum_F = device.up().si() + device.down().si();
  constexpr std::int64_t rows = 8;
  constexpr std::int64_t columns = 5;
  Uniform uniform(3);
  std::vector<float> target_F;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const double low_F = std::min(device.up().si(), device.down().si());
      const double high_F = std::max(device.up().si(), device.down().si());
      target_F.push_back(static_cast<float>(uniform(low_F, high_F)));
    }
  }
  std::vector<float> other_F;
  for (const float each_F : target_F) other_F.push_back(static_cast<float>(sum_F) - each_F);
  target_F.insert(target_F.end(), other_F.begin(), other_F.end());
  std::vector<float> capacitance_F(target_F.size());
  device.capacitances(device.program(target_F, {}), {.age = Time::si(0), .cycles = 1, .reads = 0}, capacitance_F);

  ChargeArray array;
  array.rows = 2 * rows;
  array.columns = columns;
  array.cell_F.assign(capacitance_F.begin(), capacitance_F.end());
  array.column_F.assign(columns, 20e-15);
  const std::vector<double> totals_F = column_totals_F(array);
  for (const double total_F : totals_F) EXPECT_RELATIVE(total_F, rows * sum_F + 20e-15, 1e-5);
  std::vector<double> row_V = uniform.numbers(rows, -0.1, 0.1);
  for (std::size_t i = 0; i < rows; ++i) row_V.push_back(-row_V[i]);
  const std::vector<double> read_V = product(ChargeTransfer(array, {}).transfer(), row_V);
  for (std::size_t j = 0; j < columns; ++j) {
    std::vector<double> column_F;
    for (std::size_t i = 0; i < 2 * rows; ++i) column_F.push_back(array.cell_F[i * columns + j]);
    EXPECT_RELATIVE(read_V[j], devices::shared_voltage_V(column_F, row_V, 20e-15), 1e-12);
  }
}

}  // namespace
}  // namespace tellegen::circuits
