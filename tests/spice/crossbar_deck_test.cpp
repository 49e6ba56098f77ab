// Resistive tiles: what the solvers here and ngspice make of the same circuit.

#include <gtest/gtest.h>

#include "../unit/crossbar/arrays.h"
#include "live.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/nonlinear.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using testing_support::plain_array;
using testing_support::product;
using testing_support::random_array;
using testing_support::TestArray;

/// ngspice adds up conductances in double, so a cell of 1e-5 S beside a wire of 1 S keeps 11 digits; published operating
/// points of such tiles agree with exact ones to 5e-13 (linear) and 2.3e-11 (sinh).
constexpr double linear_tolerance = 1e-11;
constexpr double nonlinear_tolerance = 1e-10;

class LinearTile : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(LinearTile, TransferMatrixEqualsNgspice) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const TestArray array = plain_array(GetParam(), GetParam(), seed);
    NGSPICE_OR_SKIP(theirs, crossbar_deck(array.wires, array.cell_S, devices::OhmicLaw(), array.input_V));
    const auto ours = product(collapse(array.wires, array.cell_S).transfer(), array.input_V);
    EXPECT_LE(relative_difference(ours, theirs), linear_tolerance);
    // Without wires the answer is another one, so the comparison can fail.
    Wires ideal = array.wires;
    ideal.row_segment_ohm = ideal.column_segment_ohm = 0;
    EXPECT_GE(relative_difference(NodalReference(ideal, array.cell_S).solve(array.input_V).output_A, theirs), 1e-4);
  }
}
INSTANTIATE_TEST_SUITE_P(Spice, LinearTile, ::testing::Values(16, 32));

struct LawCase {
  std::string name;
  devices::CellLaw law;
  std::int64_t size;
};

class NonlinearTile : public ::testing::TestWithParam<LawCase> {};

TEST_P(NonlinearTile, NewtonEqualsNgspice) {
  const std::int64_t size = GetParam().size;
  for (const double access_ohm : {0.0, 3000.0}) {
    TestArray array = plain_array(size, size, 3);
    array.wires.access_ohm = access_ohm;
    NGSPICE_OR_SKIP(theirs, crossbar_deck(array.wires, array.cell_S, GetParam().law, array.input_V));
    const auto outcome = solve_nonlinear(array.wires, array_law(GetParam().law, array.cell_S), array.input_V, 1e-13);
    ASSERT_TRUE(std::holds_alternative<NonlinearSolution>(outcome));
    EXPECT_LE(relative_difference(std::get<NonlinearSolution>(outcome).nodes.output_A, theirs), nonlinear_tolerance);
    const auto linear_A = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
    EXPECT_GE(relative_difference(linear_A, theirs), 1e-4);
  }
}
INSTANTIATE_TEST_SUITE_P(Spice, NonlinearTile,
                         ::testing::Values(LawCase{"sinh_16", devices::SinhLaw{0.25}, 16},
                                           LawCase{"sinh_32", devices::SinhLaw{1.0 / 3}, 32},
                                           LawCase{"sinh_64", devices::SinhLaw{1.0 / 3}, 64},
                                           LawCase{"cubic_16", devices::CubicLaw{0.4}, 16}),
                         [](const auto& tile) { return tile.param.name; });

/// Drive and sense of all kinds, zero resistances, open and shorted cells, broken wires, idle rows.
TEST(CrossbarDeck, EveryTopologyEqualsNgspice) {
  int compared = 0;
  for (std::uint64_t seed = 300; seed < 330; ++seed) {
    const TestArray array = random_array(seed);
    if (array.wires.rows * array.wires.columns > 400) continue;
    NGSPICE_OR_SKIP(theirs, crossbar_deck(array.wires, array.cell_S, devices::OhmicLaw(), array.input_V));
    const auto ours = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
    EXPECT_LE(relative_difference(ours, theirs), linear_tolerance) << seed;
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

TEST(CrossbarDeck, ReadsAsACircuit) {
  Wires wires;
  wires.rows = 1;
  wires.columns = 2;
  wires.row_segment_ohm = 2;
  wires.sense_ohm = 50;
  const Deck deck = crossbar_deck(wires, std::vector{1e-5, 0.0}, devices::SinhLaw{0.25}, std::vector{0.1});
  EXPECT_EQ(deck.text,
            "* crossbar, 1 rows x 2 columns\n"
            "Rw1 w0_l w0_0 2\n"
            "Rw2 w0_0 w0_1 2\n"
            "Rw3 b0_0 bb_0 50\n"
            "Rw4 b0_1 bb_1 50\n"
            "Bg5 w0_0 b0_0 I=2.5000000000000002e-06*sinh(V(w0_0,b0_0)/0.25)\n"
            "Vw0_l w0_l 0 DC 0.10000000000000001\n"
            "Vbb_0 bb_0 0 DC 0\n"
            "Vbb_1 bb_1 0 DC 0\n"
            ".options reltol=1e-12 abstol=1e-20 vntol=1e-16 gmin=1e-20 itl1=1000\n"
            ".save i(vbb_0)\n"
            ".save i(vbb_1)\n"
            ".op\n"
            ".end\n");
}

TEST(CrossbarDeck, RefusesNonsense) {
  const TestArray array = plain_array(2, 2, 1);
  EXPECT_THROW(crossbar_deck(array.wires, array.cell_S, devices::OhmicLaw(), std::vector{0.1}), InputError);
  EXPECT_THROW(crossbar_deck(array.wires, std::vector{1e-6, -1e-6, 1e-6, 1e-6}, devices::OhmicLaw(), array.input_V),
               InputError);
}

TEST(RelativeDifference, IsInPartsOfTheLargest) {
  EXPECT_DOUBLE_EQ(relative_difference(std::vector{1.0, 2.0}, std::vector{1.5, -4.0}), 1.5);
  EXPECT_EQ(relative_difference(std::vector{1e-3}, std::vector{0.0}), 1e-3);
}

}  // namespace
}  // namespace tellegen::circuits
