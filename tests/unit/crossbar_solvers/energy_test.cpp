#include "tellegen/circuits/crossbar/energy.h"

#include <gmock/gmock.h>

#include "random_arrays.h"
#include "tellegen/circuits/crossbar/line_solver.h"
#include "tellegen/circuits/crossbar/nonlinear.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using testing::TestArray;

TEST(Energy, SourcesGiveWhatBranchesTakeInEveryTopology) {
  for (const TestArray& array : testing::array_of_each_topology(80)) {
    SCOPED_TRACE(array.name);
    const NodalSolution solution = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-13).nodes;
    const BranchPower power =
        branch_power(solution, segments_of(array.wires), applied_voltages(array.wires, array.input_V));
    const PowerBalance balance = power_balance(solution, power);
    EXPECT_GT(balance.source_W, 0);
    EXPECT_LT(balance.relative_difference(), 1e-12);
    EXPECT_NEAR(balance.dissipated_W, solution.dissipated_W, 1e-13 * balance.dissipated_W);
    for (const double part_W : power.cell_W) EXPECT_GE(part_W, 0);
  }
}

TEST(Energy, SourcesGiveWhatBranchesTakeWithNonlinearCells) {
  const TestArray array = testing::plain_array(20, 30, 81);
  const NonlinearOutcome outcome =
      solve_nonlinear(array.wires, array_law(devices::SinhLaw{0.1}, array.cell_S), array.input_V, 1e-12);
  const NodalSolution& solution = std::get<NonlinearSolution>(outcome).nodes;
  const PowerBalance balance = power_balance(solution, branch_power(solution, segments_of(array.wires), array.input_V));
  EXPECT_LT(balance.relative_difference(), 1e-12);
}

TEST(Energy, CurrentsThatDoNotBalanceShow) {
  const TestArray array = testing::plain_array(20, 30, 82);
  NodalSolution solution = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-13).nodes;
  const Segments segments = segments_of(array.wires);
  solution.column_node_V[15] += 1e-3;
  complete_linear(solution, segments, array.cell_S, array.input_V);
  EXPECT_GT(power_balance(solution, branch_power(solution, segments, array.input_V)).relative_difference(), 1e-4);
}

TEST(Energy, IsTheQuadraticFormOfTheInputAdmittance) {
  for (const TestArray& array : testing::array_of_each_topology(83)) {
    SCOPED_TRACE(array.name);
    const NodalSolution solution = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-13).nodes;
    const std::vector<double> y_S = collapse(array.wires, array.cell_S).input_admittance();
    const std::vector<double> v_V = applied_voltages(array.wires, array.input_V);
    double power_W = 0;
    for (std::size_t a = 0; a < v_V.size(); ++a) {
      for (std::size_t b = 0; b < v_V.size(); ++b) power_W += v_V[a] * y_S[a * v_V.size() + b] * v_V[b];
    }
    EXPECT_NEAR(power_W, solution.dissipated_W, 1e-11 * power_W);
  }
}

TEST(Energy, OneCellByHand) {
  // 1 V over 10 + 20 + 70 ohm: 10 mA.
  TestArray array = testing::plain_array(1, 1, 84);
  array.wires.row_segment_ohm = 10;
  array.wires.column_segment_ohm = 20;
  array.cell_S = {1.0 / 70};
  array.input_V = {1};
  const NodalSolution solution = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-14).nodes;
  const BranchPower power = branch_power(solution, segments_of(array.wires), array.input_V);
  EXPECT_NEAR(power.row_wires_W(), 1e-3, 1e-16);
  EXPECT_NEAR(power.column_wires_W(), 2e-3, 1e-16);
  EXPECT_NEAR(power.cells_W(), 7e-3, 1e-16);
}

}  // namespace
}  // namespace tellegen::circuits
