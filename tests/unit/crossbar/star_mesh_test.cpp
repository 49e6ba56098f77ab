#include <gtest/gtest.h>

#include <tuple>

#include "arrays.h"
#include "tellegen/circuits/crossbar/aligned_memory.h"
#include "tellegen/circuits/crossbar/leaf_structure.h"
#include "tellegen/circuits/crossbar/star_mesh_kernels.h"
#include "tellegen/circuits/crossbar/substitution_kernels.h"

namespace tellegen::circuits {
namespace {

using testing_support::Uniform;

class StarMesh : public testing::TestWithParam<VectorUnit> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) GTEST_SKIP() << "this machine lacks the vector unit";
  }
};

/// Random conductances; the obvious elimination beside the one under test.
struct Example {
  Example(std::int64_t nodes, std::uint64_t seed)
      : memory(front_size(nodes)), front{memory.data(), nodes, padded(nodes)} {
    clear(front);
    Uniform uniform(seed);
    plain.resize(static_cast<std::size_t>(nodes * nodes));
    for (std::int64_t q = 0; q < nodes; ++q) {
      for (std::int64_t p = q + 1; p < nodes; ++p) {
        const double g_S = uniform.chance(0.2) ? 0 : std::pow(10.0, uniform(-6, 0));
        front.data[q * front.stride + p] = g_S;
        at(p, q) = at(q, p) = g_S;
      }
    }
  }
  double& at(std::int64_t p, std::int64_t q) { return plain[static_cast<std::size_t>(q * front.nodes + p)]; }
  void eliminate_plainly(std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      double sum = 0;
      for (std::int64_t p = k + 1; p < front.nodes; ++p) sum += at(p, k);
      for (std::int64_t p = k + 1; p < front.nodes; ++p) {
        for (std::int64_t q = k + 1; q < front.nodes; ++q) {
          if (p != q && sum > 0) at(p, q) += at(p, k) * at(q, k) / sum;
        }
      }
    }
  }
  AlignedNumbers memory;
  Front front;
  std::vector<double> plain;
};

TEST_P(StarMesh, EqualsEliminationNodeByNode) {
  for (const auto& [nodes, count] :
       {std::pair{2, 1}, {3, 2}, {9, 4}, {24, 8}, {40, 9}, {57, 33}, {100, 64}, {131, 130}}) {
    Example example(nodes, static_cast<std::uint64_t>(nodes));
    eliminate(example.front, count, GetParam());
    example.eliminate_plainly(count);
    for (std::int64_t q = count; q < nodes; ++q) {
      for (std::int64_t p = q + 1; p < nodes; ++p) {
        const double expected = example.at(p, q);
        EXPECT_NEAR(example.front.data[q * example.front.stride + p], expected, 1e-14 * expected)
            << nodes << ' ' << count;
      }
    }
  }
}

/// Three resistors in a star become the triangle that every textbook gives.
TEST_P(StarMesh, StarBecomesDelta) {
  const AlignedNumbers memory(front_size(4));
  const Front front{memory.data(), 4, padded(4)};
  clear(front);
  front.data[1] = 1;
  front.data[2] = 2;
  front.data[3] = 5;
  eliminate(front, 1, GetParam());
  EXPECT_DOUBLE_EQ(front.data[1 * 8 + 2], 2.0 / 8);
  EXPECT_DOUBLE_EQ(front.data[1 * 8 + 3], 5.0 / 8);
  EXPECT_DOUBLE_EQ(front.data[2 * 8 + 3], 10.0 / 8);
}

TEST_P(StarMesh, NodesInTheAirChangeNothing) {
  Example example(20, 1);
  for (std::int64_t q = 0; q < 5; ++q) {
    for (std::int64_t p = q + 1; p < 20; ++p) example.front.data[q * example.front.stride + p] = p < 5 ? 1e-3 : 0;
  }
  eliminate(example.front, 5, GetParam());
  for (std::int64_t q = 5; q < 20; ++q) {
    for (std::int64_t p = q + 1; p < 20; ++p)
      EXPECT_EQ(example.front.data[q * example.front.stride + p], example.at(p, q));
  }
}

/// Currents balance at every eliminated node of the network as it was before.
TEST_P(StarMesh, SubstitutionBalancesCurrents) {
  for (const auto& [nodes, eliminated, count] : {std::tuple{5, 2, 1}, {40, 33, 3}, {90, 70, 9}, {12, 12, 2}}) {
    Example example(nodes, static_cast<std::uint64_t>(nodes));
    eliminate(example.front, eliminated, GetParam());
    std::vector<double> node_V = Uniform(7).numbers(nodes * count, -1, 1);
    substitute(example.front.data, nodes, eliminated, node_V.data(), count, GetParam());
    for (std::int64_t k = 0; k < eliminated; ++k) {
      for (std::int64_t r = 0; r < count; ++r) {
        double balance_A = 0;
        double sum_A = 0;
        for (std::int64_t p = 0; p < nodes; ++p) {
          const double current_A = example.at(p, k) * (node_V[static_cast<std::size_t>(p * count + r)] -
                                                       node_V[static_cast<std::size_t>(k * count + r)]);
          balance_A += current_A;
          sum_A += std::abs(current_A);
        }
        EXPECT_LE(std::abs(balance_A), 1e-13 * sum_A) << nodes << ' ' << k << ' ' << r;
      }
    }
  }
}

TEST_P(StarMesh, SubstitutionInALeafEqualsOnePointAfterTheOther) {
  const testing_support::TestArray array = testing_support::plain_array(8, 8, 1);
  const Segments segments = segments_of(array.wires);
  const LeafStructure structure(NodeGrid(segments), array.wires, {0, 8, 0, 8});
  const LeafProgram& program = structure.program();
  const AlignedNumbers work(program.places * lanes);
  std::vector<double> kept(static_cast<std::size_t>(program.kept_nodes * program.kept_nodes));
  std::vector<double> places(static_cast<std::size_t>(program.places));
  const LeafLane lane{{array.cell_S.data(), segments.row_S.data(), segments.column_S.data()},
                      {kept.data(), program.kept_nodes, program.kept_nodes},
                      places.data()};
  run(program, {&lane, 1}, work.data(), GetParam());
  constexpr std::int64_t count = 43;  // 32, 8 and three single ones
  const auto nodes = static_cast<std::size_t>(program.nodes());
  std::vector<double> all_V = Uniform(3).numbers(program.nodes() * count, -1, 1);
  std::vector<double> one_V(nodes);
  const std::vector<double> given_V = all_V;
  substitute(program, places.data(), all_V.data(), count, GetParam());
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t k = 0; k < nodes; ++k) one_V[k] = given_V[k * count + r];
    substitute(program, places.data(), one_V.data(), 1, GetParam());
    for (std::size_t k = 0; k < nodes; ++k) EXPECT_NEAR(one_V[k], all_V[k * count + r], 1e-15);
  }
}

TEST_P(StarMesh, LeavesSideBySideEqualOneFront) {
  const testing_support::TestArray array = testing_support::plain_array(16, 24, 1);
  const Segments segments = segments_of(array.wires);
  const NodeGrid grid(segments);
  const Rectangle first{0, 8, 8, 16};
  const LeafStructure structure(grid, array.wires, first);
  const LeafProgram& program = structure.program();
  const std::int64_t kept = program.kept_nodes;
  ASSERT_EQ(kept, 8 + 8 + 8);  // left, right, bottom; nothing is above
  const AlignedNumbers work(program.places * lanes);
  std::vector<std::vector<double>> out(3, std::vector<double>(static_cast<std::size_t>(kept * kept)));
  std::vector<LeafLane> leaves;
  for (std::size_t lane = 0; lane < 3; ++lane) {
    // The second reads other cells, the third the same ones again.
    const std::int64_t shift = lane == 1 ? 3 : 0;
    leaves.push_back({{array.cell_S.data() + 8 + shift, segments.row_S.data() + 8, segments.column_S.data() + 8},
                      {out[lane].data(), kept, kept}});
  }
  run(program, leaves, work.data(), GetParam());
  EXPECT_EQ(out[0], out[2]);
  EXPECT_NE(out[0], out[1]);
  double most = 0;
  for (const double value : out[0]) {
    EXPECT_GE(value, 0);
    most = std::max(most, value);
  }
  EXPECT_GT(most, 0);
  EXPECT_LT(most, 1);
}

INSTANTIATE_TEST_SUITE_P(Units, StarMesh, testing::ValuesIn(vector_units));

}  // namespace
}  // namespace tellegen::circuits
