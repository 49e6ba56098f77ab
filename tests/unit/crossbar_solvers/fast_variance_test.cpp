// The approximation by two products against the exact variance of the first order.

#include "tellegen/circuits/crossbar/fast_variance.h"

#include <gmock/gmock.h>

#include <cmath>

#include "random_arrays.h"
#include "tellegen/circuits/crossbar/line_solver.h"

namespace tellegen::circuits {
namespace {

using testing::TestArray;

std::vector<double> drops_of(const TestArray& array) {
  const NodalSolution solution = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-13).nodes;
  std::vector<double> out(solution.row_node_V);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] -= solution.column_node_V[k];
  return out;
}

std::vector<double> cell_variances(const TestArray& array) {
  std::vector<double> out;
  for (const double g_S : array.cell_S) out.push_back(std::pow(0.5e-6 + 0.02 * g_S, 2));
  return out;
}

/// Exact, of the lines [lines]: differences of two columns correlate through shared wires.
std::vector<double> exact_variances(const TestArray& array, const Adjoint& adjoint, std::span<const double> variance_S2,
                                    std::span<const OutputLine> lines) {
  const std::vector<double> drop_V = drops_of(array);
  std::vector<double> out;
  for (const OutputLine& line : lines) {
    double sum_A2 = 0;
    for (std::size_t k = 0; k < drop_V.size(); ++k) {
      const double minus = line.minus < 0 ? 0 : adjoint.drops(line.minus)[k];
      sum_A2 += std::pow((adjoint.drops(line.plus)[k] - minus) * drop_V[k], 2) * variance_S2[k];
    }
    out.push_back(sum_A2);
  }
  return out;
}

std::vector<OutputLine> single_columns(std::int64_t columns) {
  std::vector<OutputLine> out;
  for (std::int64_t j = 0; j < columns; ++j) out.push_back({j, -1});
  return out;
}

/// Largest relative error of a variance over lines and vectors of positive inputs, inputs of both signs, inputs that
/// are mostly 0 V, and equal inputs.
double largest_error(TestArray array, const std::vector<OutputLine>& lines) {
  testing::Numbers numbers(73);
  const std::vector<double> variance_S2 = cell_variances(array);
  const Adjoint adjoint(array.wires, array.cell_S);
  const FastVariance fast(array.wires, array.cell_S, adjoint, variance_S2, lines);
  const std::int64_t rows = array.wires.rows;
  std::vector<std::vector<double>> vectors = {std::vector<double>(static_cast<std::size_t>(rows), 0.2)};
  for (int n = 0; n < 4; ++n) {
    vectors.push_back(numbers.uniforms(rows, 0, 0.2));
    vectors.push_back(numbers.uniforms(rows, -0.2, 0.2));
    vectors.push_back(numbers.uniforms(rows, 0, 0.2));
    for (double& v : vectors.back()) v = numbers.uniform(0, 1) < 0.2 ? v : 0;
  }
  double worst = 0;
  for (const std::vector<double>& input_V : vectors) {
    array.input_V = input_V;
    const std::vector<double> exact = exact_variances(array, adjoint, variance_S2, lines);
    const std::vector<double> got = fast.variances(input_V);
    for (std::size_t j = 0; j < got.size(); ++j) worst = std::max(worst, std::fabs(got[j] / exact[j] - 1));
  }
  return worst;
}

TEST(FastVariance, HasTheErrorThatItsManualStates) {
  struct Stated {
    std::int64_t side;
    double ohm, error;
  };
  for (const Stated& stated :
       {Stated{16, 1, 1e-3}, Stated{32, 1, 2e-3}, Stated{64, 1, 5e-3}, Stated{128, 1, 1.2e-2}, Stated{128, 5, 4e-2}}) {
    TestArray array = testing::plain_array(stated.side, stated.side, 72);
    array.wires.row_segment_ohm = array.wires.column_segment_ohm = stated.ohm;
    const double error = largest_error(array, single_columns(stated.side));
    EXPECT_LT(error, stated.error) << stated.side << ", " << stated.ohm << " ohm";
    EXPECT_GT(error, 0.1 * stated.error) << "the manual states too much";
  }
}

TEST(FastVariance, DifferencesOfColumnsSideBySideOrApart) {
  const TestArray array = testing::plain_array(64, 64, 74);
  std::vector<OutputLine> interleaved, apart;
  for (std::int64_t j = 0; j < 32; ++j) {
    interleaved.push_back({2 * j, 2 * j + 1});
    apart.push_back({j, 32 + j});
  }
  EXPECT_LT(largest_error(array, interleaved), 5e-3);
  EXPECT_LT(largest_error(array, apart), 5e-3);
}

TEST(FastVariance, IsExactWithoutWires) {
  TestArray array = testing::plain_array(20, 30, 75);
  array.wires.row_segment_ohm = array.wires.column_segment_ohm = 0;
  EXPECT_LT(largest_error(array, single_columns(30)), 1e-6);
}

/// Neither floating rows nor open or broken lines make it leave the field.
TEST(FastVariance, EveryTopology) {
  for (const TestArray& array : testing::array_of_each_topology(80)) {
    if (array.name == "all cells shorted") continue;  // its manual says that none of it holds there
    SCOPED_TRACE(array.name);
    const std::vector<double> variance_S2 = cell_variances(array);
    const Adjoint adjoint(array.wires, array.cell_S);
    const std::vector<double> exact = exact_variances(array, adjoint, variance_S2, single_columns(array.wires.columns));
    const FastVariance fast(array.wires, array.cell_S, adjoint, variance_S2);
    const std::vector<double> got = fast.variances(array.input_V);
    const double scale = *std::max_element(exact.begin(), exact.end());
    for (std::size_t j = 0; j < got.size(); ++j) EXPECT_NEAR(got[j], exact[j], 0.1 * scale) << j;
  }
}

}  // namespace
}  // namespace tellegen::circuits
