#include "tellegen/circuits/crossbar/nonlinear.h"

#include <gmock/gmock.h>

#include <cmath>

#include "random_arrays.h"
#include "tellegen/circuits/crossbar/line_solver.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"

namespace tellegen::circuits {
namespace {

using testing::largest;
using testing::largest_difference;
using testing::TestArray;

NonlinearSolution solved(const Wires& wires, const ArrayLaw& law, std::span<const double> input_V, double tolerance) {
  const NonlinearOutcome outcome = solve_nonlinear(wires, law, input_V, tolerance);
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) throw RefusedError(*refusal);
  return std::get<NonlinearSolution>(outcome);
}

/// The same operating point by another road: cells as linear conductances I(v)/v, solved by the sparse reference again
/// and again until nothing moves.
NodalSolution by_secants(const TestArray& array, const devices::CellLaw& law) {
  NodalSolution out;
  std::vector<double> secant_S = array.cell_S;
  for (int step = 0; step < 60; ++step) {
    out = NodalReference(array.wires, secant_S).solve(array.input_V);
    for (std::size_t k = 0; k < secant_S.size(); ++k) {
      const double drop_V = out.row_node_V[k] - out.column_node_V[k];
      const double g_S = array.cell_S[k];
      if (g_S == 0 || drop_V == 0) continue;
      secant_S[k] = std::visit([&](const auto& l) { return l.current_A(g_S, drop_V); }, law) / drop_V;
    }
  }
  return out;
}

class NonlinearTopology : public ::testing::TestWithParam<int> {};

TEST_P(NonlinearTopology, AgreesWithSecantsThroughTheReference) {
  const devices::CellLaw laws[] = {devices::SinhLaw{0.2}, devices::CubicLaw{0.3}};
  for (TestArray array : testing::array_of_each_topology(static_cast<std::uint64_t>(GetParam()) + 20)) {
    if (array.name == "all cells shorted" || array.name == "shorted cells") continue;  // secants do not settle there
    array.wires.access_ohm = 0;
    for (const devices::CellLaw& law : laws) {
      SCOPED_TRACE(array.name);
      const NodalSolution expected = by_secants(array, law);
      const NonlinearSolution got = solved(array.wires, array_law(law, array.cell_S), array.input_V, 1e-11);
      EXPECT_LE(largest_difference(got.nodes.output_A, expected.output_A), 1e-11 * largest(expected.output_A));
      EXPECT_LE(largest_difference(got.nodes.row_node_V, expected.row_node_V), 1e-10 * largest(array.input_V));
      EXPECT_LE(largest_difference(got.nodes.column_node_V, expected.column_node_V), 1e-10 * largest(array.input_V));
      EXPECT_NEAR(got.nodes.source_W, got.nodes.dissipated_W, 1e-10 * got.nodes.dissipated_W);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, NonlinearTopology, ::testing::Values(1, 2));

TEST(Nonlinear, OhmicCellsAreTheLinearArray) {
  const TestArray array = testing::plain_array(24, 40, 1);
  const std::vector<double> linear = LineSolver(array.wires, array.cell_S).currents(array.input_V, 1e-13).output_A;
  const NonlinearSolution got = solved(array.wires, array_law(devices::OhmicLaw{}, array.cell_S), array.input_V, 1e-12);
  EXPECT_LE(largest_difference(got.nodes.output_A, linear), 1e-12 * largest(linear));
}

TEST(Nonlinear, AccessResistanceActsAsInTheLinearArray) {
  TestArray array = testing::plain_array(16, 16, 2);
  array.wires.access_ohm = 5000;
  array.cell_S[3] = 0;
  const std::vector<double> linear = LineSolver(array.wires, array.cell_S).currents(array.input_V, 1e-13).output_A;
  const NonlinearSolution got = solved(array.wires, array_law(devices::OhmicLaw{}, array.cell_S), array.input_V, 1e-12);
  EXPECT_LE(largest_difference(got.nodes.output_A, linear), 1e-12 * largest(linear));
}

/// I_sat tanh(v / v_sat): a transistor that saturates.
OperatingPoint saturating(double drop_V) {
  constexpr double saturation_A = 8e-6;
  constexpr double saturation_V = 0.05;
  const double t = std::tanh(drop_V / saturation_V);
  return {saturation_A * t, saturation_A / saturation_V * (1 - t * t)};
}

TEST(Nonlinear, SaturatingAccessTransistorLimitsTheCurrent) {
  TestArray array = testing::plain_array(12, 12, 3);
  std::fill(array.input_V.begin(), array.input_V.end(), 2.0);
  const ArrayLaw law = in_series(array_law(devices::SinhLaw{0.25}, array.cell_S), same_everywhere(saturating));
  const NonlinearSolution got = solved(array.wires, law, array.input_V, 1e-11);
  EXPECT_LE(largest(got.nodes.cell_A), 8e-6);
  EXPECT_GT(largest(got.nodes.cell_A), 7.9e-6);
  EXPECT_NEAR(got.nodes.source_W, got.nodes.dissipated_W, 1e-11 * got.nodes.dissipated_W);
}

devices::Mosfet access_mosfet() {
  return {devices::MosfetConfig(devices::find_mosfet("bulk_28nm")), Temperature::si(300)};
}

/// 1T1R: at every cell the transistor carries what the cell carries, found here by halving intervals.
TEST(Nonlinear, TransistorAndCellShareTheirVoltage) {
  const devices::Mosfet transistor = access_mosfet();
  for (const double gate_V : {0.5, 0.8, 1.2}) {
    const TestArray array = testing::plain_array(16, 12, 33);
    const devices::SinhLaw law{0.25};
    const NonlinearSolution got =
        solved(array.wires, in_series(array_law(law, array.cell_S), access_transistor(transistor, gate_V)),
               array.input_V, 1e-12);
    EXPECT_NEAR(got.nodes.source_W, got.nodes.dissipated_W, 1e-11 * got.nodes.dissipated_W);
    for (std::size_t k = 0; k < array.cell_S.size(); ++k) {
      const double drop_V = got.nodes.row_node_V[k] - got.nodes.column_node_V[k];
      double low_V = std::min(drop_V, 0.0);
      double high_V = std::max(drop_V, 0.0);
      for (int halving = 0; halving < 100; ++halving) {
        const double cell_V = (low_V + high_V) / 2;
        const bool cell_takes_more =
            law.current_A(array.cell_S[k], cell_V) > transistor.current_A(gate_V, 0, drop_V - cell_V);
        (cell_takes_more ? high_V : low_V) = cell_V;
      }
      const double expected_A = law.current_A(array.cell_S[k], low_V);
      EXPECT_NEAR(got.nodes.cell_A[k], expected_A, 1e-9 * largest(got.nodes.cell_A)) << k;
    }
  }
}

/// At a thousandth of kT/q it is a resistance: the linear array with the same one.
TEST(Nonlinear, TransistorAtSmallVoltagesIsItsOnResistance) {
  const devices::Mosfet transistor = access_mosfet();
  TestArray array = testing::plain_array(16, 12, 34);
  for (double& input_V : array.input_V) input_V *= 1e-4;
  const NonlinearSolution got =
      solved(array.wires, in_series(array_law(devices::OhmicLaw{}, array.cell_S), access_transistor(transistor, 1.0)),
             array.input_V, 1e-12);
  array.wires.access_ohm = 1 / transistor.operating_point(1.0, 0, 0).gmd_S;
  const std::vector<double> linear_A = LineSolver(array.wires, array.cell_S).currents(array.input_V, 1e-12).output_A;
  EXPECT_LE(largest_difference(got.nodes.output_A, linear_A), 1e-4 * largest(linear_A));
  EXPECT_GT(array.wires.access_ohm, 100);
}

TEST(Nonlinear, SeriesOfTwoElementsMeetsInTheMiddle) {
  const std::vector<double> cell_S = {1e-5, 3e-5, 0, 1e-4, 2e-6};
  const std::vector<double> drop_V = {0.3, -0.8, 0.4, 5.0, 0.0};
  const ArrayLaw cell = array_law(devices::SinhLaw{0.1}, cell_S);
  const ArrayLaw access = same_everywhere([](double v) { return OperatingPoint{1e-4 * v, 1e-4}; });
  std::vector<double> current_A(5), slope_S(5);
  in_series(cell, access)(0, drop_V, current_A, slope_S);
  for (std::size_t k = 0; k < 5; ++k) {
    // Ohm's law gives the voltage of the cell, and its law the current again.
    const double cell_V = drop_V[k] - current_A[k] / 1e-4;
    EXPECT_NEAR(cell_S[k] * 0.1 * std::sinh(cell_V / 0.1), current_A[k], 1e-11 * std::fabs(current_A[k])) << k;
  }
  const double h_V = 1e-5;
  for (std::size_t k = 0; k < 5; ++k) {
    std::vector<double> up(drop_V), above_A(5), below_A(5), unused(5);
    up[k] += h_V;
    in_series(cell, access)(0, up, above_A, unused);
    up[k] -= 2 * h_V;
    in_series(cell, access)(0, up, below_A, unused);
    EXPECT_NEAR(slope_S[k], (above_A[k] - below_A[k]) / (2 * h_V), 1e-7 * slope_S[k] + 1e-18) << k;
  }
}

TEST(Nonlinear, VectorisedSinhIsTheStandardLibrarys) {
  std::vector<double> drop_V;
  for (double v = -60; v <= 60; v += 0.0137) drop_V.push_back(v);
  for (const double v : {0.0, 1e-300, 1e-9, -1e-9, 0.9999, 1.0, 700.0, -700.0}) drop_V.push_back(v);
  const std::vector<double> cell_S(drop_V.size(), 1.0);
  std::vector<double> current_A(drop_V.size()), slope_S(drop_V.size());
  array_law(devices::SinhLaw{1}, cell_S)(0, drop_V, current_A, slope_S);
  for (std::size_t k = 0; k < drop_V.size(); ++k) {
    ASSERT_NEAR(current_A[k], std::sinh(drop_V[k]), 1e-15 * std::fabs(std::sinh(drop_V[k]))) << drop_V[k];
    ASSERT_NEAR(slope_S[k], std::cosh(drop_V[k]), 1e-15 * std::cosh(drop_V[k])) << drop_V[k];
  }
}

TEST(Nonlinear, ArrivesFromFarAway) {
  // Without wires the cells would take 1e-4 S x 0.05 V x sinh(60) = 2.9e20 A.
  TestArray array = testing::plain_array(8, 8, 4);
  std::fill(array.input_V.begin(), array.input_V.end(), 3.0);
  const NonlinearSolution got =
      solved(array.wires, array_law(devices::SinhLaw{0.05}, array.cell_S), array.input_V, 1e-10);
  EXPECT_NEAR(got.nodes.source_W, got.nodes.dissipated_W, 1e-10 * got.nodes.dissipated_W);
  for (std::size_t k = 0; k < array.cell_S.size(); ++k) {
    const double drop_V = got.nodes.row_node_V[k] - got.nodes.column_node_V[k];
    EXPECT_NEAR(got.nodes.cell_A[k], array.cell_S[k] * 0.05 * std::sinh(drop_V / 0.05), 1e-11 * got.nodes.cell_A[k]);
  }
}

TEST(Nonlinear, LawThatFallsIsRefusedWithThePlace) {
  const TestArray array = testing::plain_array(2, 3, 5);
  const ArrayLaw falling = same_everywhere([](double v) {
    return OperatingPoint{1e-4 * std::sin(20 * v), 2e-3 * std::cos(20 * v)};
  });
  const NonlinearOutcome outcome = solve_nonlinear(array.wires, falling, std::vector<double>{0.05, 0.15}, 1e-9);
  ASSERT_TRUE(std::holds_alternative<Refusal>(outcome));
  EXPECT_EQ(std::get<Refusal>(outcome).reason,
            "The cell in row 1, column 0 has the current '1.411e-05 A' and the slope '-0.00198 S' at 0.15 V; a current "
            "that rises with the voltage is needed.");
  EXPECT_EQ(std::get<Refusal>(outcome).remedy, "Lower the input voltages, or use a cell law that rises.");
}

TEST(Nonlinear, ToleranceThatCannotBeReachedIsRefusedWithTheResidual) {
  const TestArray array = testing::plain_array(16, 16, 6);
  const NonlinearOutcome outcome =
      solve_nonlinear(array.wires, array_law(devices::SinhLaw{0.25}, array.cell_S), array.input_V, 0);
  ASSERT_TRUE(std::holds_alternative<Refusal>(outcome));
  EXPECT_THAT(std::get<Refusal>(outcome).reason,
              ::testing::MatchesRegex(
                  "The operating point of the non-linear array was not found in [0-9]+ Newton steps: "
                  "currents that do not balance can still change an output by '[0-9.e-]+ A', [0-9.e-]+ of the "
                  "largest\\."));
  EXPECT_EQ(std::get<Refusal>(outcome).remedy,
            "Allow a larger tolerance (rounding allows none below 1e-14), or check the law of the cells.");
}

/// 1e-14 is reached at every size, and it is true: against the same solve from 1e-9 on, which stops by its residual, and
/// against secants.
TEST(Nonlinear, ReachesWhatItsManualSaysAtEverySize) {
  for (const auto& [rows, columns] : {std::pair{64, 64}, {256, 256}, {512, 32}, {32, 512}}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
    TestArray array = testing::plain_array(rows, columns, 31);
    const ArrayLaw law = array_law(devices::SinhLaw{1.0 / 3}, array.cell_S);
    const NonlinearSolution got = solved(array.wires, law, array.input_V, 1e-14);
    EXPECT_LE(got.remaining_A, 1e-14 * largest(got.nodes.output_A));
    const NonlinearSolution rough = solved(array.wires, law, array.input_V, 1e-9);
    EXPECT_LE(largest_difference(got.nodes.output_A, rough.nodes.output_A), 1e-9 * largest(got.nodes.output_A));
    EXPECT_NEAR(got.nodes.source_W, got.nodes.dissipated_W, 1e-11 * got.nodes.dissipated_W);
    if (rows > 64) continue;
    const NodalSolution expected = by_secants(array, devices::SinhLaw{1.0 / 3});
    EXPECT_LE(largest_difference(got.nodes.output_A, expected.output_A), 1e-13 * largest(expected.output_A));
  }
}

TEST(Nonlinear, NoInputGivesNoCurrent) {
  const TestArray array = testing::plain_array(4, 4, 7);
  const NonlinearSolution got =
      solved(array.wires, array_law(devices::SinhLaw{0.25}, array.cell_S), std::vector<double>(4), 1e-9);
  EXPECT_THAT(got.nodes.output_A, ::testing::Each(0.0));
}

}  // namespace
}  // namespace tellegen::circuits
