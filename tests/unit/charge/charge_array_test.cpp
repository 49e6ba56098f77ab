#include "tellegen/circuits/crossbar/charge_array.h"

#include <gtest/gtest.h>

#include "charge_arrays.h"

namespace tellegen::circuits {
namespace {

using testing_support::refusal_of;

TEST(ChargeArray, TotalsAreDenominators) {
  ChargeArray array{2, 2, {1e-15, 2e-15, 3e-15, 4e-15}, {}, {10e-15, 20e-15}, 0};
  const auto totals_F = column_totals_F(array);
  EXPECT_NEAR(totals_F[0], 14e-15, 1e-29);
  EXPECT_NEAR(totals_F[1], 26e-15, 1e-29);
}

TEST(ChargeArray, SwitchesInjectHalfTheirChannel) {
  const auto& vectors = devices::test::fecap_vectors("charge_mac").at("charge_injection_V");
  const double overdrive_V = vectors.at("Vov");
  const ResetSwitch reset{vectors.at("W"), vectors.at("L"), vectors.at("Cox"), overdrive_V + 0.4 + 0.1, 0.4};
  const double hold_F = vectors.at("Chold");
  const double wanted_V = vectors.at("dV_half_channel");
  EXPECT_RELATIVE(injected_charge_C(reset, 0.1) / hold_F, wanted_V, 1e-12);
  // Signal-dependent, and nothing without a channel.
  EXPECT_RELATIVE(injected_charge_C(reset, 0.35) / hold_F, wanted_V / 2, 1e-12);
  EXPECT_EQ(injected_charge_C(reset, 0.7), 0);
}

TEST(ChargeArray, RefusesNonsense) {
  const ChargeArray good{2, 1, {1e-15, 2e-15}, {}, {}, 0};
  ChargeArray array = good;
  array.cell_F[1] = -1e-15;
  EXPECT_EQ(refusal_of([&] { check(array); }),
            "The capacitance of the cell in row 1, column 0 is '-1e-15 F'; a finite capacitance of 0 F or more is "
            "needed.");
  array = good;
  array.rows = 0;
  EXPECT_EQ(refusal_of([&] { check(array); }), "The array is '0 x 1'; at least one row and one column are needed.");
  array = good;
  array.columns = 2;
  EXPECT_EQ(refusal_of([&] { check(array); }),
            "'2' cell capacitances are given; 4 are needed for 2 rows and 2 columns.");
  array = good;
  array.row_F = {1e-15};
  EXPECT_EQ(refusal_of([&] { check(array); }),
            "Capacitances to ground are given for '1' rows; one for each of the 2 rows is needed, or none.");
  array = good;
  array.column_F = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(refusal_of([&] { check(array); }),
            "The capacitance of column 0 is 'nan F'; a finite capacitance of 0 F or more is needed.");
  array = good;
  array.neighbour_F = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal_of([&] { check(array); }),
            "The capacitance of two neighbouring columns is 'inf F'; a finite capacitance of 0 F or more is needed.");
}

}  // namespace
}  // namespace tellegen::circuits
