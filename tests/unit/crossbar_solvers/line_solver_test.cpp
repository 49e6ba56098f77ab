#include "tellegen/circuits/crossbar/line_solver.h"

#include <gmock/gmock.h>

#include <numeric>

#include "random_arrays.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"

namespace tellegen::circuits {
namespace {

using testing::largest;
using testing::largest_difference;
using testing::TestArray;

class LineSolverTopology : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(LineSolverTopology, AgreesWithTheReferenceEverywhere) {
  for (const TestArray& array : testing::array_of_each_topology(GetParam())) {
    SCOPED_TRACE(array.name);
    const NodalSolution expected = NodalReference(array.wires, array.cell_S).solve(array.input_V);
    const LineSolution got = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-13);
    const double scale_A = largest(expected.output_A);
    EXPECT_LE(largest_difference(got.nodes.output_A, expected.output_A), 2e-13 * scale_A);
    EXPECT_LE(largest_difference(got.nodes.row_node_V, expected.row_node_V), 1e-12 * largest(array.input_V));
    EXPECT_LE(largest_difference(got.nodes.column_node_V, expected.column_node_V), 1e-12 * largest(array.input_V));
    EXPECT_LE(largest_difference(got.nodes.source_A, expected.source_A), 1e-11 * largest(expected.source_A));
    EXPECT_NEAR(got.nodes.source_W, got.nodes.dissipated_W, 1e-12 * got.nodes.dissipated_W);
  }
}

TEST_P(LineSolverTopology, ErrorStaysWithinABoundThatMeansSomething) {
  for (const TestArray& array : testing::array_of_each_topology(GetParam())) {
    const std::vector<double> exact = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
    LineSolver solver(array.wires, array.cell_S);
    for (const double tolerance : {1e-2, 1e-4, 1e-7, 1e-10}) {
      SCOPED_TRACE(array.name + ", " + std::to_string(tolerance));
      const LineCurrents got = solver.currents(array.input_V, tolerance);
      const double error_A = largest_difference(got.output_A, exact);
      EXPECT_TRUE(got.accuracy.reached);
      EXPECT_LE(error_A, got.accuracy.bound_A);
      EXPECT_LE(got.accuracy.bound_A, tolerance * largest(got.output_A));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LineSolverTopology, ::testing::Values(1, 2, 3));

TEST(LineSolver, BoundIsWithinAFactorOfTheError) {
  // Loose enough that rounding does not count.
  for (const std::int64_t n : {16, 64, 100}) {
    const TestArray array = testing::plain_array(n, n, 5);
    const std::vector<double> exact = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
    const LineCurrents got = LineSolver(array.wires, array.cell_S).currents(array.input_V, 1e-4);
    EXPECT_LT(got.accuracy.bound_A, 10 * largest_difference(got.output_A, exact)) << n;
  }
}

TEST(LineSolver, ToleranceThatRoundingForbidsIsReportedAsMissed) {
  const TestArray array = testing::plain_array(32, 32, 6);
  const LineCurrents got = LineSolver(array.wires, array.cell_S).currents(array.input_V, 1e-18);
  EXPECT_FALSE(got.accuracy.reached);
  EXPECT_LE(got.accuracy.bound_A, 1e-13 * largest(got.output_A));
}

TEST(LineSolver, SolvesAgainWithoutMemoryOfTheLastInput) {
  const TestArray array = testing::plain_array(20, 30, 7);
  LineSolver solver(array.wires, array.cell_S);
  const std::vector<double> first = solver.currents(array.input_V, 1e-10).output_A;
  solver.adjoint_drop_V(3, 1e-10);
  solver.currents(std::vector<double>(20, 1.0), 1e-10);
  EXPECT_EQ(solver.currents(array.input_V, 1e-10).output_A, first);
}

TEST(LineSolver, NoInputGivesNoCurrent) {
  const TestArray array = testing::plain_array(5, 9, 8);
  const LineCurrents got = LineSolver(array.wires, array.cell_S).currents(std::vector<double>(5), 1e-10);
  EXPECT_THAT(got.output_A, ::testing::Each(0.0));
  EXPECT_EQ(got.accuracy.bound_A, 0);
  EXPECT_TRUE(got.accuracy.reached);
}

TEST(LineSolver, AllOpenCellsGiveNoCurrent) {
  TestArray array = testing::plain_array(6, 4, 9);
  std::fill(array.cell_S.begin(), array.cell_S.end(), 0.0);
  const LineSolution got = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-10);
  EXPECT_THAT(got.nodes.output_A, ::testing::Each(0.0));
  EXPECT_EQ(got.nodes.dissipated_W, 0);
}

TEST(LineSolver, IsOneProductWithoutWires) {
  TestArray array = testing::plain_array(17, 5, 10);
  array.wires.row_segment_ohm = array.wires.column_segment_ohm = 0;
  const LineCurrents got = LineSolver(array.wires, array.cell_S).currents(array.input_V, 1e-14);
  EXPECT_EQ(got.accuracy.iterations, 0);
  for (std::size_t j = 0; j < 5; ++j) {
    double sum_A = 0;
    for (std::size_t i = 0; i < 17; ++i) sum_A += array.cell_S[i * 5 + j] * array.input_V[i];
    EXPECT_DOUBLE_EQ(got.output_A[j], sum_A);
  }
}

TEST(LineSystem, EveryVectorUnitGivesTheSame) {
  for (const TestArray& array : testing::array_of_each_topology(12)) {
    if (!array.wires.broken.empty()) continue;  // cells in the air are taken out by LineSolver
    SCOPED_TRACE(array.name);
    const std::vector<double> branch_S = branch_conductances(array.wires, array.cell_S);
    std::vector<double> first;
    for (const VectorUnit unit : vector_units) {
      if (!is_supported(unit)) continue;
      LineSystem system(segments_of(array.wires), unit);
      for (std::int64_t i = 0; i < array.wires.rows; ++i) {
        for (std::int64_t j = 0; j < array.wires.columns; ++j) {
          const std::int64_t at = i * system.stride() + j;
          system.cell_S()[at] = branch_S[static_cast<std::size_t>(i * array.wires.columns + j)];
          system.row_A()[at] = -0.1 * system.cell_S()[at];
          system.column_A()[at] = 0.1 * system.cell_S()[at];
        }
      }
      system.factor();
      system.start();
      system.iterate(1e-14, 1000);
      system.solve_columns();
      std::vector<double> got(system.column_V(), system.column_V() + array.wires.rows * system.stride());
      if (first.empty()) first = got;
      EXPECT_LE(largest_difference(got, first), 1e-13);
      EXPECT_LE(system.row_residual(), 1e-13);
    }
  }
}

TEST(LineSolver, RefusesWhatTheReferenceRefuses) {
  const TestArray array = testing::plain_array(2, 2, 11);
  EXPECT_THROW(LineSolver(array.wires, std::vector<double>{1, 2, -1, 3}), InputError);
  LineSolver solver(array.wires, array.cell_S);
  EXPECT_THROW(solver.currents(std::vector<double>{1, 2, 3}, 1e-10), InputError);
}

}  // namespace
}  // namespace tellegen::circuits
