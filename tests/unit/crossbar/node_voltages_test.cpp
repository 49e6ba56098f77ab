#include <gtest/gtest.h>

#include "arrays.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using namespace testing_support;

/// w and b of every cell at every operating point, [points][rows][columns].
struct AllVoltages {
  std::vector<std::vector<double>> row_node_V, column_node_V;
};

AllVoltages all_voltages(const Collapse& collapsed, const Wires& wires, const std::vector<double>& row_V,
                         const std::vector<double>& column_V, std::int64_t count) {
  const auto cells = static_cast<std::size_t>(wires.rows * wires.columns);
  AllVoltages out;
  out.row_node_V.assign(static_cast<std::size_t>(count), std::vector<double>(cells, 1e9));
  out.column_node_V = out.row_node_V;
  collapsed.node_voltages(row_V, column_V, count, [&](const LeafVoltages& leaf) {
    for (std::int64_t i = 0; i < leaf.cells.height(); ++i) {
      for (std::int64_t j = 0; j < leaf.cells.width(); ++j) {
        const auto from = static_cast<std::size_t>(i * leaf.cells.width() + j);
        const auto to =
            static_cast<std::size_t>((leaf.cells.first_row + i) * wires.columns + leaf.cells.first_column + j);
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
          out.row_node_V[k][to] = leaf.row_node_V[from][k];
          out.column_node_V[k][to] = leaf.column_node_V[from][k];
        }
      }
    }
  });
  return out;
}

TEST(NodeVoltages, EqualTheReferenceInEveryTopology) {
  for (std::uint64_t seed = 500; seed < 560; ++seed) {
    const TestArray array = random_array(seed);
    CollapseMemory memory;
    const Collapse collapsed(std::make_shared<CollapsePlan>(array.wires), array.cell_S, memory,
                             {.node_voltages = true});
    const NodalReference reference(array.wires, array.cell_S);
    constexpr std::int64_t count = 3;
    const auto rows = static_cast<std::size_t>(array.wires.rows);
    std::vector<double> row_V(rows * count);
    std::vector<NodalSolution> expected;
    Uniform uniform(seed);
    for (std::size_t k = 0; k < count; ++k) {
      const std::vector<double> input_V = uniform.numbers(array.wires.rows, -0.2, 0.2);
      const std::vector<double> applied_V = applied_voltages(array.wires, input_V);
      for (std::size_t i = 0; i < rows; ++i) row_V[i * count + k] = applied_V[i];
      expected.push_back(reference.solve(input_V));
    }
    const std::vector<double> column_V(static_cast<std::size_t>(array.wires.columns * count));
    const AllVoltages found = all_voltages(collapsed, array.wires, row_V, column_V, count);
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_LT(largest_difference(found.row_node_V[k], expected[k].row_node_V), 1e-14) << seed;
      EXPECT_LT(largest_difference(found.column_node_V[k], expected[k].column_node_V), 1e-14) << seed;
    }
  }
}

/// dI_j/dG_kl = (adjoint voltage of b - w) (forward voltage of w - b), the adjoint having 1 V at sense end j.
TEST(NodeVoltages, OfTheAdjointGiveSensitivities) {
  TestArray array = plain_array(11, 19, 1);
  array.wires.driver_ohm = 40;
  array.wires.sense_ohm = 70;
  const auto plan = std::make_shared<CollapsePlan>(array.wires);
  CollapseMemory memory;
  const Collapse collapsed(plan, array.cell_S, memory, {.node_voltages = true});
  const std::vector<double> zero_row_V(11 * 19);
  const std::vector<double> zero_column_V(19);
  std::vector<double> unit_V(19 * 19);
  for (std::size_t j = 0; j < 19; ++j) unit_V[j * 19 + j] = 1;
  const AllVoltages adjoint = all_voltages(collapsed, array.wires, zero_row_V, unit_V, 19);
  const AllVoltages forward = all_voltages(collapsed, array.wires, array.input_V, zero_column_V, 1);
  const auto outputs = [&](std::size_t cell, double scale) {
    std::vector<double> cells_S = array.cell_S;
    cells_S[cell] *= scale;
    return product(Collapse(plan, cells_S, memory).ports().transfer(), array.input_V);
  };
  double largest_sensitivity = 0;
  double largest_error = 0;
  for (std::size_t cell = 0; cell < array.cell_S.size(); cell += 7) {
    const double step = 1e-3;
    const std::vector<double> more_A = outputs(cell, 1 + step);
    const std::vector<double> less_A = outputs(cell, 1 - step);
    const double drop_V = forward.row_node_V[0][cell] - forward.column_node_V[0][cell];
    for (std::size_t j = 0; j < 19; ++j) {
      const double sensitivity_V = (adjoint.column_node_V[j][cell] - adjoint.row_node_V[j][cell]) * drop_V;
      const double difference_V = (more_A[j] - less_A[j]) / (2 * step * array.cell_S[cell]);
      largest_sensitivity = std::max(largest_sensitivity, std::abs(sensitivity_V));
      largest_error = std::max(largest_error, std::abs(sensitivity_V - difference_V));
    }
  }
  EXPECT_LT(largest_error, 1e-9 * largest_sensitivity);
}

TEST(NodeVoltages, FollowARewrite) {
  TestArray array = plain_array(20, 20, 1);
  const auto plan = std::make_shared<CollapsePlan>(array.wires);
  CollapseMemory memory;
  Collapse kept(plan, array.cell_S, memory, {.rewritable = true, .node_voltages = true});
  kept.rewrite(std::vector<CellChange>{{13, 4, 9e-5}});
  array.cell_S[13 * 20 + 4] = 9e-5;
  const Collapse fresh(plan, array.cell_S, memory, {.node_voltages = true});
  const std::vector<double> column_V(20);
  EXPECT_EQ(all_voltages(kept, array.wires, array.input_V, column_V, 1).row_node_V,
            all_voltages(fresh, array.wires, array.input_V, column_V, 1).row_node_V);
}

}  // namespace
}  // namespace tellegen::circuits
